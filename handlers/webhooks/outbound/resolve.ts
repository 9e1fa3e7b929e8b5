/** From a host to the addresses that a connection may go to. */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AllowedNetwork, isOwnAddress, isPublic } from './addresses.ts';
import { isSpecialName } from './url.ts';

/**
 * Asks for all addresses of a name.
 * @param signal ends the question; the answer is of no interest any more
 * @throws Error when there is none
 */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const QUERY_MS = 1_500;
/** More addresses than this are checked, yet not tried. */
const MOST_OF_A_FAMILY = 3;

/**
 * Asks DNS itself, not the system's resolver: that one takes a thread of a small pool for as long as a name server
 * hangs, and cannot be stopped.
 * @param servers absent: those that the machine is configured with
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

/** What connections are allowed to, besides public addresses, and never to. */
export interface AddressPolicy {
  readonly allowed: readonly AllowedNetwork[];
  isOwnPort(port: number): boolean;
}

export type Resolved = { readonly addresses: readonly string[] } | { readonly error: 'dns_error' | 'address_denied' };

/**
 * The addresses that a connection to a host may go to: all that it has, checked, then a few of each family in a fixed
 * order. A single one that is not public denies the host, and so does a name of special use (D-28).
 * @param host a name, or an address without brackets
 * @param timeoutMs longest that the name server may take
 */
export async function resolveAllowed(
  host: string,
  port: number,
  policy: AddressPolicy,
  lookup: Lookup,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Resolved> {
  // Such a name is nobody's to ask for, unless tests have it lead to an address that the deployment allows by itself.
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
  // RFC 6761 §6.3: this name is the machine itself, whatever a name server says.
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
