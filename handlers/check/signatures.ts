/** The check of the last judge of signatures. */
import { Openssl } from '../runtime/openssl.ts';
import type { DeploymentCheck } from './check.ts';
import { doubtful, fine, wrong } from './finding.ts';

export const signatureChecks: readonly DeploymentCheck[] = [
  {
    name: 'signatures.openssl',
    about: 'OpenSSL 3 is there and judges signatures last',
    async run({ config }) {
      const found = await Openssl.find(config);
      if (found instanceof Openssl) return fine(`${found.program} judges last: ${found.version}`);
      const judged = config.OPENSSL === undefined ? doubtful : wrong;
      return judged(
        found,
        'Install OpenSSL 3, or name it in OPENSSL: without it, this service alone judges signatures.',
      );
    },
  },
];
