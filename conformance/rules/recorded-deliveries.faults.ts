/** Faults that the rules of recorded-deliveries.rules.ts must catch. */
import { drop, put, setHeader } from '../mutation/alter.ts';
import { deliveryFaults, envelope, signature } from '../mutation/alter-deliveries.ts';
import { sign } from '../mutation/callbacks.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = deliveryFaults({
  'EVT-1': {
    'evt-text': ['a delivery is text/plain', signature((one) => setHeader(one, 'Content-Type', 'text/plain'))],
    'evt-added': ['an envelope has a field more', envelope(put('version', 1))],
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
  },
  'SIG-2': {
    'sig-old': ['t is ten minutes old', signature((one) => sign(one, Math.floor(Date.now() / 1000) - 600))],
    'sig-missing': ['deliveries are not signed', signature((one) => setHeader(one, 'Service-Signature', undefined))],
  },
});
