/** The form of URLs that events may go to (D-28), as pure functions. Their addresses are checked separately. */

/** Longest URL, before and after it is made canonical. */
export const MAX_URL_LENGTH = 2_048;
const HTTPS_PORT = 443;
const LEAST_PORT = 1_024;

/** What is wrong with a URL, as the end of a sentence that begins with its field. */
export type UrlProblem = string;

const NOT_HTTPS = 'must be an https URL';
const USER_INFO = 'must have no user information';
const FRAGMENT = 'must have no fragment';
const ODD_HOST = 'must name its host plainly: a name, an IPv4 address of four decimal numbers, or an IPv6 address';

/**
 * Checks the form of a URL.
 * @param isOwnPort whether this service listens on a port
 * @returns the URL, whose `href` is canonical, or what is wrong with it
 */
export function checkUrl(text: string, isOwnPort: (port: number) => boolean): URL | UrlProblem {
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters long`;
  // The URL parser would remove blanks, tabs and line ends, and turn backslashes into slashes.
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must hold no blanks, control characters or backslashes';
  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || !URL.canParse(text)) return NOT_HTTPS;
  const url = new URL(text);
  if (authority.includes('@')) return USER_INFO;
  if (text.includes('#')) return FRAGMENT;
  if (!isPlainHost(authority.replace(/:\d*$/, ''), url.hostname)) return ODD_HOST;
  // A final dot (DNS root) has no meaning here, and receivers would get it in Host.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (url.hostname.endsWith('.')) return ODD_HOST;
  if (url.href.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters long in canonical form`;
  const port = portOf(url);
  if (port !== HTTPS_PORT && port < LEAST_PORT) return `must be on port ${HTTPS_PORT} or from ${LEAST_PORT} up`;
  // Port 443 may belong to another machine; there the check of the addresses decides.
  return port !== HTTPS_PORT && isOwnPort(port) ? 'must not be on a port of this service' : url;
}

/** Names that no host on the Internet has, or that are for tests and examples: RFC 6761, 6762, 7686, 8375, 9476. */
const SPECIAL_USE = [
  'test',
  'localhost',
  'invalid',
  'example',
  'example.com',
  'example.net',
  'example.org',
  'in-addr.arpa',
  'ip6.arpa',
  'local',
  'onion',
  'home.arpa',
  'alt',
  'internal',
];

/** Whether a name, in lower case, has one label only or is of special use (D-28). */
export function isSpecialName(name: string): boolean {
  return !name.includes('.') || SPECIAL_USE.some((special) => name === special || name.endsWith(`.${special}`));
}

/** The port that a URL leads to. */
export function portOf(url: URL): number {
  return url.port === '' ? HTTPS_PORT : Number(url.port);
}

/** The name or address that a URL leads to: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether the host as written equals the parsed one, apart from letter case and punycode. Numbers that become addresses
 * (`0x7f.1`), percent signs and look-alike letters (`①`, `ｅ`, `。`) hide where a URL leads.
 */
function isPlainHost(written: string, canonical: string): boolean {
  // Nothing else is parsed as an IPv6 address, and no other form of one leads elsewhere.
  if (canonical.startsWith('[')) return true;
  const [before, after] = [written.split('.'), canonical.split('.')];
  return (
    before.length === after.length &&
    before.every((label, i) => {
      const made = after[i] as string;
      return label.toLowerCase() === made || (made.startsWith('xn--') && /[^\0-\x7f]/.test(label));
    })
  );
}
