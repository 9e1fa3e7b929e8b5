/** One request and its answer, as they went over the wire. */
import type { OperationId } from '../../generated/contract.ts';
import { remembered } from '../remembered.ts';
import { shortened } from '../report/shown-values.ts';

export type Headers = [name: string, value: string][];

const AGENT = 'developer-api-conformance';
const AGENT_OF_RULE = new RegExp(`^user-agent: ${AGENT} \\(([A-Z]+-[\\w.-]+)\\)\\r$`, 'im');

/**
 * The User-Agent of a rule's requests, so that operators of a target, or of a proxy before it, can tell rules apart.
 */
export const userAgentOf = (rule: string): string => `${AGENT} (${rule})`;

/** The rule that sent a request. @param head the lines of its head, each ending in CR LF */
export const ruleOfHead = (head: string): string | undefined => AGENT_OF_RULE.exec(head)?.[1];

export interface Exchange {
  /** Id of the rule whose test made the exchange. */
  readonly rule: string;
  readonly method: string;
  /** The request target exactly as sent. */
  readonly target: string;
  readonly requestHeaders: Headers;
  readonly requestBody: Buffer | undefined;
  /** Variable name of the key that was deliberately sent, if any. */
  readonly key: string | undefined;
  readonly operationId: OperationId | undefined;
  /** Sent as bytes over a bare socket, so it may not be an HTTP request at all. */
  readonly wire: boolean;
  /** The check, among `CHECKS_IN_FRONT`, whose request a terminator may have refused in its own form. */
  readonly inFront?: string;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Milliseconds of the process's monotonic clock. */
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
  readonly baseUrl: string;
}

/** The first value of a header; the case of the name does not matter. */
export function headerOf({ headers }: Pick<Exchange, 'headers'>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([given]) => given.toLowerCase() === wanted)?.[1];
}

/** What Retry-After asks for, in seconds; undefined if it is no whole number (RFC 9110, section 10.2.3). */
export function secondsToWait(exchange: Pick<Exchange, 'headers'>): number | undefined {
  const said = headerOf(exchange, 'retry-after') ?? '';
  return /^\d{1,6}$/.test(said) ? Number(said) : undefined;
}

/** The headers of a message of `node:http`, as they were sent. */
export function headerPairs(raw: readonly string[]): Headers {
  return raw.flatMap((name, at): Headers => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
}

/** The answer's body as JSON, or undefined if it is not JSON. It is parsed once, so nobody may change it. */
export const jsonOf = remembered(({ body }: Exchange): unknown => jsonFrom(body));

/** The request's body as JSON, or undefined if it is not JSON. */
export const requestJsonOf = ({ requestBody }: Exchange): unknown => jsonFrom(requestBody ?? '');

/** Text as JSON, or undefined if it is not JSON. */
export function jsonFrom(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The value at a JSON Pointer (RFC 6901), or undefined. */
export function atPointer(value: unknown, pointer: string): unknown {
  let at = value;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return at;
}

const SHOWN_BODY = 2000;

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The exchange for a report: `mask` is applied to bodies, `keys` to everything else. */
export function describe(exchange: Exchange, mask: (text: string) => string, keys: (text: string) => string): string {
  const lines = [`> ${exchange.method} ${shortened(exchange.target, SHOWN_BODY)}`];
  for (const [name, value] of exchange.requestHeaders) lines.push(`> ${name}: ${shortened(value, SHOWN_BODY)}`);
  const { requestBody } = exchange;
  if (requestBody && requestBody.length > SHOWN_BODY)
    lines.push(`> ${mask(requestBody.subarray(0, SHOWN_BODY).toString('utf8'))}… (${requestBody.length} bytes)`);
  else if (requestBody) lines.push(`> ${mask(requestBody.toString('utf8'))}`);
  lines.push(`< ${exchange.status || 'no answer'} after ${Math.round(exchange.receivedAtMs - exchange.sentAtMs)} ms`);
  for (const [name, value] of exchange.headers) lines.push(`< ${name}: ${value}`);
  const body = mask(exchange.body.toString('utf8'));
  lines.push(`< ${body.length > SHOWN_BODY ? `${body.slice(0, SHOWN_BODY)}… (${exchange.body.length} bytes)` : body}`);
  return keys(lines.join('\n'));
}

/** A shell command that repeats the request; the key is taken from its variable. */
export function curlOf(exchange: Exchange, keys: (text: string) => string): string {
  if (exchange.wire) return '(sent as raw bytes; not expressible with curl)';
  const parts = ['curl', '-sS', '-i', '--path-as-is', '-X', exchange.method];
  for (const [name, value] of exchange.requestHeaders) {
    if (/^(host|content-length|connection|transfer-encoding)$/i.test(name)) continue;
    if (name.toLowerCase() === 'x-api-key' && exchange.key !== undefined)
      parts.push('-H', `"${name}: $${exchange.key}"`);
    // curl leaves out a header that ends with its colon.
    else parts.push('-H', quoted(value === '' ? `${name};` : keys(`${name}: ${value}`)));
  }
  const body = exchange.requestBody;
  if (body)
    parts.push(
      '--data-binary',
      body.length > SHOWN_BODY ? `@body # ${body.length} bytes` : quoted(keys(body.toString('utf8'))),
    );
  parts.push(quoted(exchange.baseUrl + exchange.target));
  const line = parts.join(' ');
  return shortened(line, 2 * SHOWN_BODY);
}
