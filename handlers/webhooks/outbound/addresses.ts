/** Which addresses events may go to (D-28). */
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { parseAddress } from '../../runtime/addresses.ts';

/** Looks public to the library but is not: a virtual server that a large cloud provides inside each of its machines. */
const CLOUD_HOST = '168.63.129.16';
/** The IPv6 range in use for unicast (RFC 4291 §2.4); all addresses outside are special, reserved or not assigned. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an address belongs to a single host of the public Internet. Addresses that contain another address (mapped,
 * NAT64, 6to4, Teredo) never count as public, whichever one they contain.
 * @param text an IPv4 address of four decimal numbers, or an IPv6 address; anything else is not public
 */
export function isPublic(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? text !== CLOUD_HOST : address.match(GLOBAL_UNICAST);
}

/** Whether an address is one of this machine: that of an interface, loopback, or the unspecified address. */
export function isOwnAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  const plain = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  if (['loopback', 'unspecified'].includes(plain.range())) return true;
  const wanted = plain.toNormalizedString();
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .some((entry) => parseAddress(entry.address)?.toNormalizedString() === wanted);
}
