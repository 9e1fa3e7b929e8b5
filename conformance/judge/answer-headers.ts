/** The values of the headers of answers, as far as the contract fixes them. */
import contract from '../../generated/openapi.json' with { type: 'json' };
import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Values } from '../profile/values.ts';

interface DeclaredHeader {
  schema?: { pattern?: string; const?: string; minimum?: number };
}

/** The part of the contract about headers; an answer refers to them by their names. */
interface HeaderContract {
  headers: Readonly<Record<string, DeclaredHeader>>;
  responses: Readonly<Record<string, { headers?: Readonly<Record<string, DeclaredHeader & { $ref?: string }>> }>>;
}

/** Headers whose values a profile declares, or whose rules know them better. */
const JUDGED_ELSEWHERE = ['ratelimit-policy'];

/** Whether a value fits; undefined for a header of which the contract says no more than its type. */
function formOf({ schema = {} }: DeclaredHeader): ((value: string) => boolean) | undefined {
  const { pattern, const: only, minimum } = schema;
  if (only !== undefined) return (value) => value === only;
  if (pattern !== undefined) {
    const form = new RegExp(pattern);
    return (value) => form.test(value);
  }
  return minimum === undefined ? undefined : (value) => /^\d+$/.test(value) && Number(value) >= minimum;
}

/** By the name of the header in small letters. */
const forms = new Map<string, (value: string) => boolean>();
const { headers: declared, responses } = contract.components as unknown as HeaderContract;
for (const { headers = {} } of Object.values(responses)) {
  for (const [written, header] of Object.entries(headers)) {
    const name = written.toLowerCase();
    const { $ref } = header;
    const form = formOf($ref === undefined ? header : (declared[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}));
    if (form !== undefined && !JUDGED_ELSEWHERE.includes(name)) forms.set(name, form);
  }
}

/** Which headers of an answer have a value that the contract does not allow, or let pages of other origins read it. */
export function headerFormComplaints(exchange: Exchange, { rate_fields }: Values): string[] {
  const wrong = [...forms].flatMap(([name, fits]) => {
    const value = headerOf(exchange, name);
    if (value === undefined || fits(value) || (name === 'ratelimit' && rate_fields !== 'ietf')) return [];
    return [`the value of the header ${name} is not one that the contract allows`];
  });
  const inviting = exchange.headers.filter(([name]) => /^access-control-/i.test(name));
  return [...wrong, ...inviting.map(([name]) => `the header ${name} came`)];
}
