/** Finds the addresses of a host that a connection may go to. */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AllowedNetwork } from '../../runtime/addresses.ts';
import { isOwnAddress, isPublic } from './addresses.ts';
import { isSpecialName } from './url.ts';

/**
 * Finds all addresses of a name.
 * @param signal aborted when the answer is no longer needed
 * @throws Error if the name has no address
 */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const QUERY_MS = 1_500;
/** How many addresses of each family are tried; all are checked. */
const MOST_OF_A_FAMILY = 3;

/**
 * Asks DNS directly, not the system's resolver, which occupies a thread of a small pool while a name server hangs, and
 * cannot be stopped.
 * @param servers name servers; by default those of the machine's configuration
 */
export const dnsLookup =
  (servers?: readonly string[]): Lookup =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: QUERY_MS, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
      if (addresses.length === 0) throw new Error('the name has no addresses');
      return addresses;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

/** Where connections may go besides public addresses, and where they may never go. */
export interface AddressPolicy {
  readonly allowed: readonly AllowedNetwork[];
  isOwnPort(port: number): boolean;
}

export type ResolvedName =
  | { readonly addresses: readonly string[] }
  | { readonly error: 'dns_error' | 'address_denied' };

/**
 * The addresses of a host that a connection may go to. All its addresses are checked; the result has a few of each
 * family in a fixed order. One address that is not public denies the host, and so does a name of special use (D-28).
 * @param host a name, or an address without brackets
 * @param timeoutMs how long the name server may take
 */
export async function resolveAllowed(
  host: string,
  port: number,
  policy: AddressPolicy,
  lookup: Lookup,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ResolvedName> {
  // Names of special use are denied, except in tests, where they may lead to addresses that the deployment allows.
  const isSpecial = isIP(host) === 0 && isSpecialName(host);
  if (isSpecial && policy.allowed.length === 0) return { error: 'address_denied' };
  const found = await addressesOf(host, lookup, timeoutMs, signal);
  if (found === undefined || found.length === 0) return { error: 'dns_error' };
  const addresses = [...new Set(found)].sort();
  const isGood = (address: string) => isAllowed(address, port, policy, isSpecial);
  if (!addresses.every(isGood)) return { error: 'address_denied' };
  const of = (family: number) => addresses.filter((address) => isIP(address) === family).slice(0, MOST_OF_A_FAMILY);
  return { addresses: [...of(4), ...of(6)] };
}

function isAllowed(address: string, port: number, policy: AddressPolicy, isSpecial: boolean): boolean {
  if (policy.isOwnPort(port) && isOwnAddress(address)) return false;
  return (
    (!isSpecial && isPublic(address)) ||
    policy.allowed.some((network) => network.port === port && network.holds(address))
  );
}

async function addressesOf(
  host: string,
  lookup: Lookup,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (isIP(host) !== 0) return [host];
  // RFC 6761 §6.3: this name always means the machine itself, with any answer of a name server.
  if (/(^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1', '::1'];
  const given = AbortSignal.any([
    AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs))),
    ...(signal === undefined ? [] : [signal]),
  ]);
  const over = new Promise<undefined>((resolve) => {
    if (given.aborted) resolve(undefined);
    given.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([over, lookup(host, given).catch(() => undefined)]);
}
