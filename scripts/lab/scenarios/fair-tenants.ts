/** Two tenants of one deployment, and how they send requests: the building blocks of the contests of `fair`. */
import { randomUUID } from 'node:crypto';
import type { Store } from '../../../handlers/data/store.ts';
import type { Block } from '../../../handlers/documents/templates/content.ts';
import { ask, inTurn, type JsonAnswer } from '../../world/ask.ts';
import { postForm } from '../../world/disk-storage.ts';
import { TestTenant } from '../../world/tenant.ts';
import { type Company, inventCompany } from '../actors/company.ts';
import type { OwnWorld } from '../scene.ts';

/** A tenant with templates that cost little and much to print. */
export interface FairTenant extends Company {
  /** The template that prints one line. */
  readonly smallTemplateId: string;
  /** The template that prints a table of up to 200 rows. */
  readonly heavyTemplateId: string;
}

export interface FairTenants {
  readonly world: OwnWorld;
  readonly url: string;
  readonly greedy: FairTenant;
  readonly patient: FairTenant;
}

/** A body that is sent often is given as bytes, so that no processor time is taken from the service to build it. */
export type Body = object | Uint8Array<ArrayBuffer>;

let asked = 0;

/**
 * Sends one request with the next of the owner's API keys, and an idempotency key of its own.
 * @param coding of the body, which is then given as it is sent
 */
export function askAs(
  { initiator: { keys } }: Pick<Company, 'initiator'>,
  url: string,
  path: string,
  body?: Body,
  coding?: 'gzip',
): Promise<JsonAnswer> {
  const key = inTurn(keys, asked++);
  const target = `${url}/developer/v1${path}`;
  if (body === undefined) return ask('GET', target, key);
  return ask('POST', target, key, body, {
    'Idempotency-Key': randomUUID(),
    ...(coding && { 'Content-Encoding': coding }),
  });
}

/** Like {@link askAs}. @throws Error for any answer except 200 */
export async function mustAsk(tenants: FairTenants, side: FairTenant, path: string, body?: Body) {
  const { status, body: answer } = await askAs(side, tenants.url, path, body);
  if (status !== 200) throw new Error(`${path.split('?')[0]} was answered ${status}: ${answer.message}`);
  return answer;
}

/** Reserves an upload and sends its bytes. @returns the file's id, to be confirmed */
export async function upload(tenants: FairTenants, side: FairTenant, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const wanted = { filename: 'f.pdf', content_type: 'application/pdf', size_bytes: bytes.length };
  const reserved = await mustAsk(tenants, side, '/files', wanted);
  const status = await postForm(reserved.upload, bytes);
  if (status !== 204) throw new Error(`storage answered ${status}`);
  return reserved.file.id;
}

const TEXT = { type: 'string', title: 'Текст', maxLength: 200 } as const;
const COLUMNS = ['a', 'b', 'c', 'd'];
const SMALL: readonly Block[] = [{ type: 'paragraph', text: '{{text}}' }];
const HEAVY: readonly Block[] = [
  { type: 'table', variable: 'rows', columns: COLUMNS.map((field) => ({ field, title: field })) },
];
const HEAVY_SCHEMA = {
  type: 'array',
  title: 'Строки',
  maxItems: 200,
  items: {
    type: 'object',
    properties: Object.fromEntries(COLUMNS.map((name) => [name, TEXT])),
    required: [],
    additionalProperties: false,
  },
};

/** The values of a document that fills 200 rows with letters of Latin Extended-A and -B, which the fonts have. */
export function heavyValues(): object {
  const cell = (place: number) =>
    Array.from({ length: 50 }, (_, i) => String.fromCodePoint(0x100 + ((place * 31 + i * 7) % 0x150))).join('');
  return {
    rows: Array.from({ length: 200 }, (_, row) =>
      Object.fromEntries(COLUMNS.map((name, column) => [name, cell(4 * row + column)])),
    ),
  };
}

/** Writes a tenant with so many employees. */
export async function makeTenant(store: Store, employees: number): Promise<FairTenant> {
  const company = await inventCompany(store, employees);
  const tenant = new TestTenant(store, company.id, company.initiator.userId);
  const templateOf = (variables: object, blocks: readonly Block[]) =>
    tenant.templateOf(company.typeId, { variables, content: { locale: 'ru', blocks } });
  const smallTemplateId = await templateOf({ text: TEXT }, SMALL);
  return { ...company, smallTemplateId, heavyTemplateId: await templateOf({ rows: HEAVY_SCHEMA }, HEAVY) };
}
