import { rateLimitOf } from '../rate-limit.ts';
import { type Contract, ContractError } from '../read.ts';
import { heading } from './literal.ts';

/** The text of generated/rate-limit.ts. @throws ContractError if the contract does not state the limit */
export function rateLimitModule(contract: Contract): string {
  const limit = rateLimitOf(contract);
  if (limit === undefined) throw new ContractError('The security scheme ApiKey has no x-rate-limit.');
  return `${heading('the rate limit of a key')}
/** A bucket of \`burst\` tokens, refilled continuously by \`perSecond\` tokens a second; each request takes one. */
export const rateLimit = { perSecond: ${limit.perSecond}, burst: ${limit.burst} } as const;
`;
}
