/** Contracts in which places are changed, for tests. */
import { type Contract, type Json, type JsonObject, readContract } from './read.ts';

/** A small contract that follows all rules. */
export const FIXTURE = new URL('./fixture.yaml', import.meta.url).pathname;
export const fixture = await readContract(FIXTURE);

/** The keys from the root to a place, separated by spaces, and what stands there from now on; undefined removes it. */
export type Change = readonly [place: string, value: Json | undefined];

/** What stands at a place. @throws Error if there is nothing */
export function at(contract: JsonObject, place: string): Json {
  return place.split(' ').reduce<Json>((node, key) => {
    const next = (node as JsonObject)[key];
    if (next === undefined) throw new Error(`nothing at ${place}`);
    return next;
  }, contract);
}

/** A copy of a contract in which places are changed, one after the other. */
export function changed(contract: Contract, ...changes: readonly Change[]): Contract {
  const whole: JsonObject = { contract: structuredClone(contract) };
  for (const [place, value] of changes) {
    const [, above = '', key = ''] = /^(.*) (\S+)$/.exec(`contract ${place}`) ?? [];
    const holder = at(whole, above);
    if (value === undefined) at(whole, `contract ${place}`);
    if (value === undefined && Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (value === undefined) delete (holder as JsonObject)[key];
    else (holder as JsonObject)[key] = value;
  }
  return whole.contract as Contract;
}
