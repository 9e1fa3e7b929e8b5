/** Faults that the rules of whole-run-deliveries.rules.ts must catch. */
import { parse, setHeader } from '../mutation/alter.ts';
import { envelope, hex, seconds, signature } from '../mutation/alter-deliveries.ts';
import { sign } from '../mutation/callbacks.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'evt-text',
    rule: 'EVT-1',
    alone: true,
    breaks: 'a delivery is text/plain',
    delivery: signature((one) => setHeader(one, 'Content-Type', 'text/plain')),
  },
  {
    id: 'evt-added',
    rule: 'EVT-2',
    alone: true,
    breaks: 'an envelope has a field more',
    delivery: envelope((json) => {
      json.version = 1;
    }),
  },
  {
    id: 'evt-time-lost',
    rule: 'EVT-2',
    alone: true,
    breaks: 'an envelope lacks occurred_at',
    delivery: envelope((json) => {
      delete json.occurred_at;
    }),
  },
  {
    id: 'evt-other-type',
    rule: 'EVT-4',
    alone: true,
    breaks: 'a type that is in no list is delivered',
    delivery: envelope((json) => {
      json.type = 'document.changed';
    }),
  },
  {
    id: 'evt-employee-says-more',
    rule: 'EVT-6',
    alone: true,
    breaks: 'an employee event says the status',
    delivery: envelope((json) => {
      if (json.data.employee_id) json.data.status = 'x';
    }),
  },
  {
    id: 'evt-document-says-more',
    rule: 'EVT-7',
    alone: true,
    breaks: 'a document event says the status',
    delivery: envelope((json) => {
      if (json.data.document_id) json.data.status = 'x';
    }),
  },
  {
    id: 'priv-event-title',
    rule: 'PRIV-5',
    alone: true,
    breaks: 'a delivery holds a title',
    delivery: envelope((json) => {
      json.data.title = 'x';
    }),
  },
  {
    id: 'sig-upper-case',
    rule: 'SIG-1',
    alone: true,
    breaks: 'v1 is in upper case',
    delivery: signature((one) =>
      setHeader(
        one,
        'Service-Signature',
        one.headers
          .find(([name]) => /^service-signature$/i.test(name))?.[1]
          .replace(/v1=.*/, (v1) => `v1=${v1.slice(3).toUpperCase()}`),
      ),
    ),
  },
  {
    id: 'sig-milliseconds',
    rule: 'SIG-1',
    alone: true,
    breaks: 't is in milliseconds',
    delivery: signature((one) => sign(one, Date.now())),
  },
  {
    id: 'sig-body-only',
    rule: 'SIG-2',
    alone: true,
    breaks: 'the body alone is signed',
    delivery: signature((one) => setHeader(one, 'Service-Signature', `t=${seconds()},v1=${hex(one.secret, one.body)}`)),
  },
  {
    id: 'sig-body-written-anew',
    rule: 'SIG-2',
    alone: true,
    breaks: 'the body is written anew after signing',
    delivery: signature((one) => {
      one.body = Buffer.from(JSON.stringify(parse(one.body), null, 1));
    }),
  },
  {
    id: 'sig-secret-cut',
    rule: 'SIG-2',
    alone: true,
    breaks: 'the prefix of the secret is not part of the key',
    delivery: signature((one) => sign(one, seconds(), one.secret.replace(/^[a-z]+_/, ''))),
  },
  {
    id: 'sig-old',
    rule: 'SIG-3',
    alone: true,
    breaks: 't is ten minutes old',
    delivery: signature((one) => sign(one, seconds() - 600)),
  },
  {
    id: 'sig-missing',
    rule: 'SIG-7',
    alone: true,
    breaks: 'deliveries are not signed',
    delivery: signature((one) => setHeader(one, 'Service-Signature', undefined)),
  },
];
