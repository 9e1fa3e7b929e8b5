/** Faults that the rules of whole-run-deliveries.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import { drop, parse, put, setHeader } from '../mutation/alter.ts';
import { deliveryFaults, envelope, hex, seconds, signature } from '../mutation/alter-deliveries.ts';
import { sign } from '../mutation/callbacks.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = deliveryFaults({
  'EVT-1': {
    'evt-text': ['a delivery is text/plain', signature((one) => setHeader(one, 'Content-Type', 'text/plain'))],
    'evt-added': ['an envelope has a field more', envelope(put('version', 1))],
    'evt-year-10000': ['an event is of a year after 9999', envelope(put('occurred_at', (at) => `+01${at}`))],
    'evt-time-lost': ['an envelope lacks occurred_at', envelope(drop('occurred_at'))],
    'evt-other-type': ['a type that is in no list is delivered', envelope(put('type', 'document.changed'))],
  },
  'EVT-6': {
    'priv-event-title': ['a delivery holds a title', envelope(put('data.title', 'x'))],
    'evt-employee-says-more': [
      'an employee event says the status',
      envelope((json) => {
        if (json.data.employee_id) json.data.status = 'x';
      }),
    ],
    'evt-document-says-more': [
      'a document event says the status',
      envelope((json) => {
        if (json.data.document_id) json.data.status = 'x';
      }),
    ],
  },
  'SIG-2': {
    'sig-old': ['t is ten minutes old', signature((one) => sign(one, seconds() - 600))],
    'sig-upper-case': [
      'v1 is in upper case',
      signature((one) => {
        const upper = headerOf(one, 'Service-Signature')?.replace(/v1=.*/, (v1) => `v1=${v1.slice(3).toUpperCase()}`);
        setHeader(one, 'Service-Signature', upper);
      }),
    ],
    'sig-milliseconds': ['t is in milliseconds', signature((one) => sign(one, Date.now()))],
    'sig-missing': ['deliveries are not signed', signature((one) => setHeader(one, 'Service-Signature', undefined))],
    'sig-body-only': [
      'the body alone is signed',
      signature((one) => setHeader(one, 'Service-Signature', `t=${seconds()},v1=${hex(one.secret, one.body)}`)),
    ],
    'sig-line-end': [
      'a body with a line end is signed',
      signature((one) => {
        const t = seconds();
        setHeader(one, 'Service-Signature', `t=${t},v1=${hex(one.secret, `${t}.${one.body}\n`)}`);
      }),
    ],
    'sig-body-written-anew': [
      'the body is written anew after signing',
      signature((one) => {
        one.body = Buffer.from(JSON.stringify(parse(one.body), null, 1));
      }),
    ],
    'sig-secret-cut': [
      'the prefix of the secret is not part of the key',
      signature((one) => sign(one, seconds(), one.secret.replace(/^[a-z]+_/, ''))),
    ],
  },
});
