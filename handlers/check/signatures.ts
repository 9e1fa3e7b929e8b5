/** The check of the last judge of signatures. */
import { Openssl } from '../runtime/openssl.ts';
import type { CheckContext, DeploymentCheck } from './check.ts';
import { doubtful, fine, type Judgement, wrong } from './finding.ts';

async function openssl({ config }: CheckContext): Promise<Judgement> {
  const found = await Openssl.find(config);
  if (found instanceof Openssl) return fine(`${found.program} judges last: ${found.version}`);
  const judged = config.OPENSSL === undefined ? doubtful : wrong;
  return judged(found, 'Install OpenSSL 3, or name it in OPENSSL: without it, this service alone judges signatures.');
}

export const signatureChecks: readonly DeploymentCheck[] = [
  { name: 'signatures.openssl', about: 'OpenSSL 3 is there and judges signatures last', run: openssl },
];
