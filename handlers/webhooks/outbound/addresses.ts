/** Which addresses events may go to (D-28). */
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

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
  const address = parse(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? text !== CLOUD_HOST : address.match(GLOBAL_UNICAST);
}

/** Whether an address is one of this machine: that of an interface, loopback, or the unspecified address. */
export function isOwnAddress(text: string): boolean {
  const address = parse(text);
  if (address === undefined) return false;
  const plain = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  if (['loopback', 'unspecified'].includes(plain.range())) return true;
  const wanted = plain.toNormalizedString();
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .some((entry) => parse(entry.address)?.toNormalizedString() === wanted);
}

function parse(text: string): Address | undefined {
  // The library also accepts 0x7f.1 and 2130706433; here an address must have four decimal numbers.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

/** Addresses with a port that a deployment allows although they are not public, for tests. */
export interface AllowedNetwork {
  /** The text in the configuration. */
  readonly text: string;
  readonly port: number;
  holds(address: string): boolean;
}

/** Reads `127.0.0.1:8443`, `10.1.0.0/16:443` or `[fd00::/8]:8443`. @returns undefined for any other form */
export function allowedNetwork(text: string): AllowedNetwork | undefined {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const range = bracketed ?? plain ?? '';
  const [base = '', bits, ...rest] = range.split('/');
  const first = parse(base);
  const kind = bracketed === undefined ? 'ipv4' : 'ipv6';
  if (first === undefined || first.kind() !== kind || rest.length > 0 || Number(port) > 65_535) return undefined;
  const longest = kind === 'ipv4' ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > longest)) return undefined;
  return {
    text,
    port: Number(port),
    holds(address) {
      const other = parse(address);
      return other?.kind() === kind && (other as ipaddr.IPv4).match(first as ipaddr.IPv4, Number(bits ?? longest));
    },
  };
}
