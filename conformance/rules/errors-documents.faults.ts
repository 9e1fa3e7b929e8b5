/** Faults that the rules of errors-documents.rules.ts must catch. */
import { after, everything, made, parse, reasonOf } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'ERR-26': {
    'err-document-order': [
      'the state is reported before who may',
      after(everything, (answer) =>
        reasonOf(answer) === 'DOCUMENT.ACTION_NOT_ALLOWED' ? made(409, { ...parse(answer.body), code: 9 }) : answer,
      ),
    ],
  },
});
