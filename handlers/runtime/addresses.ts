/** IP addresses, and networks, as configuration and connections name them. */
import ipaddr from 'ipaddr.js';

/** Reads an IPv4 address of four decimal numbers, or an IPv6 address. @returns undefined for any other form */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The library also accepts 0x7f.1 and 2130706433; here an address must have four decimal numbers.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

/** Reads an address, or a network such as `10.1.0.0/16`. @returns undefined for any other form */
export function parseNetwork(text: string): { first: ipaddr.IPv4 | ipaddr.IPv6; bits: number } | undefined {
  const [base = '', bits, ...rest] = text.split('/');
  const first = parseAddress(base);
  if (first === undefined || rest.length > 0) return undefined;
  const longest = first.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > longest)) return undefined;
  return { first, bits: Number(bits ?? longest) };
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
  const kind = bracketed === undefined ? 'ipv4' : 'ipv6';
  const { first, bits = 0 } = parseNetwork(bracketed ?? plain ?? '') ?? {};
  if (first?.kind() !== kind || Number(port) > 65_535) return undefined;
  return {
    text,
    port: Number(port),
    holds(address) {
      const other = parseAddress(address);
      return other?.kind() === kind && (other as ipaddr.IPv4).match(first as ipaddr.IPv4, bits);
    },
  };
}
