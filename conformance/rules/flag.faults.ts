/** Faults that the rules of flag.rules.ts must catch. */
import { after, counted, everything, isFor, keyOf, madeError, noted, reasonOf, sticky } from '../mutation/alter.ts';
import { alsoReports, eventOf } from '../mutation/alter-deliveries.ts';
import { faultsOf, inDeliveries, type ProxiedDelivery } from '../mutation/fault.ts';

const FLAG = 'FEATURE_FLAG.NOT_AVAILABLE';

export const faults = faultsOf({
  'FLAG-8': {
    'flag-after-the-limit': [
      'a refusal by the flag takes a token of the key',
      after(everything, (answer, _asked, memory) =>
        reasonOf(answer) === FLAG && counted(memory) > 20 ? madeError('RATE_LIMIT_EXCEEDED') : answer,
      ),
    ],
  },
  'FLAG-6': {
    'flag-for-all': [
      'the flag of one tenant concerns all',
      after(everything, (answer, _asked, memory) => {
        if (reasonOf(answer) === FLAG) memory.notes.set('off', true);
        return memory.notes.has('off') ? madeError('FEATURE_FLAG_OFF') : answer;
      }),
    ],
    'flag-sticks': [
      'the flag is looked up once for each key',
      after(everything, (answer, asked, memory) => noted(memory, `flag ${keyOf(asked)}`, () => answer)),
    ],
    'flag-stays-off': ['once off, the interface stays off for a key', sticky(isFor(FLAG))],
  },
  'FLAG-7': {
    'flag-told-later': inDeliveries(
      'what happened while the flag was off is reported when it is on again',
      alsoReports(
        (json) => json.type === 'employee.deleted',
        () => ({ type: 'employee.changed' }),
      ),
    ),
  },
  'FLAG-9': {
    'flag-retries-go-on': inDeliveries(
      'an event that was tried before is tried again while the flag is off',
      async (one, forward, memory) => {
        const { type } = eventOf(one);
        if (type === 'employee.changed') {
          memory.notes.set('tried', one);
          memory.notes.set('markers', 0);
        }
        const tried = memory.notes.get('tried') as ProxiedDelivery | undefined;
        if (type === 'document.rejected' && tried !== undefined) {
          const markers = Number(memory.notes.get('markers')) + 1;
          memory.notes.set('markers', markers);
          if (markers === 2) await forward(tried);
        }
        return forward(one);
      },
    ),
  },
});
