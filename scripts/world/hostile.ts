/** Requests that no well-behaved client sends, as bytes; a seed decides which. */
import type { Random } from '../kit/random.ts';
import { requestText } from './wire.ts';

export type Keys = readonly [string, ...string[]];

/** A request whose head states the length of its body. */
export function withBody(line: string, head: readonly string[], body: string): string {
  return requestText(line, [...head, `Content-Length: ${Buffer.byteLength(body)}`], body);
}

const JSON_TYPE = 'Content-Type: application/json';
const keyLine = (key: string) => `X-API-Key: ${key}`;

const BASES: readonly ((key: string) => string)[] = [
  (key) => requestText('GET /developer/v1/employees?limit=5&status=EMPLOYEE_STATUS_ACTIVE', [keyLine(key)]),
  (key) => requestText('GET /developer/v1/document_types?category_id=a&limit=1', [keyLine(key)]),
  (key) => requestText('GET /developer/v1/api_key/_verify', [keyLine(key), 'Connection: close']),
  () => requestText('GET /readyz'),
  (key) => withBody('POST /developer/v1/documents', [keyLine(key), JSON_TYPE], '{"title":null}'),
];

const POISON: readonly string[] = [...'\0\n\xff;=\t /#?{"', '\r\n', '%00', '%zz', '[$ne]', '&&', '..'];

/** A request with a few bytes changed, removed, doubled or inserted; or random bytes. It may never be complete. */
export function mutant(random: Random, keys: Keys): Buffer {
  if (random.int(5) === 0) return random.bytes(1 + random.int(300));
  const base = random.int(BASES.length);
  let bytes = Buffer.from(BASES[base]?.(keys[base % keys.length] ?? keys[0]) ?? '', 'latin1');
  for (let changes = 1 + random.int(4); changes > 0; changes--) {
    const at = random.int(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const kinds = [
      () => Buffer.concat([before, random.bytes(1), after.subarray(1)]),
      () => Buffer.concat([before, after.subarray(random.int(12))]),
      () => Buffer.concat([before, Buffer.from(random.pick(POISON), 'latin1'), after]),
      () => Buffer.concat([before, after.subarray(0, 20), after]),
    ] as const;
    bytes = random.pick(kinds)();
  }
  return bytes;
}

/** A complete request, answered on a connection that stays open; half of those with a key have a valid one. */
export function hostile(random: Random, keys: Keys): string {
  const any = random.bytes(12).toString('hex');
  const key = keyLine(random.int(2) ? random.pick(keys) : any);
  const head = [key, `X-Request-Id: ${any}`, `Content-Type: application/json; v=${any}`];
  const create = (body: string, ...more: string[]) => withBody('POST /developer/v1/documents', [key, ...more], body);
  return random.pick([
    () => requestText(`GET /developer/v1/employees?${any}=1&limit=${random.int(9)}x`, head),
    () => requestText(`GET /developer/v1/employees?page_token=${any}&department_id=${any}`, head),
    () => requestText(`GET /developer/v1/employees?limit=1&limit=2&updated_since=${any}&%zz&&=`, head),
    () => requestText(`GET /developer/v1/document_templates/${any}`, head),
    () => requestText(`GET /developer/v1/employees/%2f${any}%zz/`, head),
    () => requestText(`GET /${any}/${any}`, head),
    () => requestText(`PATCH /developer/v1/${any}`, head),
    () => requestText('DELETE /developer/v1/documents', head),
    () => requestText('GET /developer/v1/employees', [`X-Any: ${any}`]),
    () => requestText('GET /developer/v1/employees', [key, keyLine(any)]),
    () => requestText('GET /developer/v1/employees', [key, `Host: ${any}`]),
    () => requestText('POST /developer/v1/documents', [...head, 'Content-Length: 2'], '{}'),
    () => create(`{"title":"${any}"`, JSON_TYPE),
    () => create(`["${any}"]`, JSON_TYPE),
    () => create(`{"title":"\\ud800\\u0000","${any}":1}`, JSON_TYPE),
    () => create('{"a":'.repeat(65 + random.int(500)), JSON_TYPE),
    () => create(any, 'Content-Type: text/plain'),
    () => create(any, JSON_TYPE, JSON_TYPE),
    () => create(any, JSON_TYPE, 'Content-Encoding: gzip'),
    () => create(any, JSON_TYPE, `Content-Encoding: ${any}`),
  ])();
}
