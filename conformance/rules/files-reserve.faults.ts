/** Faults that the rules of files-reserve.rules.ts must catch. */
import { showing } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'FILE-15': {
    'file-name-ascii': [
      'a filename comes back in ASCII',
      showing('reserveFile', 'file.filename', (filename) => filename.replace(/[^ -~]/gu, '_')),
    ],
    'file-size-cut': [
      'a reserved size is shown in whole kilobytes',
      showing('reserveFile', 'file.size_bytes', (sizeBytes) => String(Number(sizeBytes) & ~1023)),
    ],
  },
});
