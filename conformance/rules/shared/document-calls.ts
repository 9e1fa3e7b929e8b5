/**
 * Creates, reads and fetches documents and uploads. Every call that changes the tenant asks for permission first; what
 * it creates carries the run id and the rule in its title. Calls to storage are not calls to the API: they carry no
 * key, and are neither paced nor judged by the contract.
 */
import type { Answers } from '../../../generated/handlers.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';
import type { Api } from '../../http/api.ts';
import { exchangeOverHttp, type WireAnswer } from '../../http/client.ts';
import type { Headers } from '../../http/exchange.ts';
import { type Schema, valuesFor } from './template-values.ts';

export type Document = Answers['createDocument']['document'];
export type ReservedUpload = Answers['reserveFile'];
export type Upload = ReservedUpload['upload'];
export type Download = Answers['downloadDocument'];

export const PDF = 'application/pdf';
const STORAGE_TIMEOUT_MS = 60_000;

let made = 0;

/** A title that no other run, rule or call uses; `search` finds only this document by it. */
export function titleOf(t: TestContext, what = 'документ'): string {
  made++;
  return `${t.rule.id} ${what} ${t.run.run_id}-${process.pid}-${made}`;
}

/** A small PDF of one empty page. @param text makes its bytes differ; @param sizeBytes pads it to exactly this size */
export function pdf(text = '', sizeBytes = 0): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>',
  ];
  const head = `%PDF-1.4\n% ${text.replaceAll('\n', ' ')}`;
  const build = (padding: number): Buffer => {
    let body = `${head}${' '.repeat(padding)}\n`;
    const offsets = objects.map((object, i) => {
      const offset = Buffer.byteLength(body);
      body += `${i + 1} 0 obj\n${object}\nendobj\n`;
      return `${String(offset).padStart(10, '0')} 00000 n \n`;
    });
    const table = `xref\n0 4\n0000000000 65535 f \n${offsets.join('')}`;
    const at = String(Buffer.byteLength(body)).padStart(10, '0');
    return Buffer.from(`${body}${table}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`);
  };
  return build(Math.max(0, sizeBytes - build(0).length));
}

const templates = new Map<string, Promise<Answers['getDocumentTemplate']['document_template']>>();

/** A template as a key of its tenant sees it; a worker reads it only once. */
export function templateOf(
  t: TestContext,
  id: string,
  api: Api = t.as('full'),
): Promise<Answers['getDocumentTemplate']['document_template']> {
  const known = templates.get(id);
  if (known) return known;
  const read = api
    .get(`/document_templates/${id}`)
    .then((answer) => answer.ok('getDocumentTemplate').document_template);
  templates.set(id, read);
  read.catch(() => templates.delete(id));
  return read;
}

/** A body for createDocument from the profile's template, with values that fit its schema; nothing is sent. */
export async function templateBody(t: TestContext, more: object = {}): Promise<Record<string, unknown>> {
  const template = await templateOf(t, t.fixture('document_template_id'));
  return {
    title: titleOf(t),
    type_id: t.fixture('document_type_id'),
    template_id: template.id,
    template_values: valuesFor(template.variable_schema as Schema),
    ...more,
  };
}

/** Sends a creation unchanged, after asking for permission. @param key an Idempotency-Key */
export async function create(t: TestContext, api: Api, body: unknown, key?: string): Promise<Answer> {
  await t.mayWrite();
  return api.post('/documents', body, key === undefined ? {} : { headers: { 'Idempotency-Key': key } });
}

/** A new draft from the profile's template. @param more fields that replace fields of the body or are added to it */
export async function draft(t: TestContext, api: Api = t.as('full'), more: object = {}): Promise<Document> {
  return (await create(t, api, await templateBody(t, more))).ok('createDocument').document;
}

/** Reserves an upload. */
export async function reserve(
  t: TestContext,
  api: Api,
  sizeBytes: number,
  filename = 'проверка.pdf',
): Promise<ReservedUpload> {
  await t.mayWrite();
  const answer = await api.post('/files', { filename, content_type: PDF, size_bytes: sizeBytes });
  return answer.ok('reserveFile');
}

export interface FormChanges {
  /** Fields that replace fields of the form or are added to it; undefined removes one. */
  fields?: Readonly<Record<string, string | undefined>>;
  /** Fields that stand after the file. */
  late?: Readonly<Record<string, string>>;
  /** Writes the names of the fields. */
  named?: (name: string) => string;
  /** The Content-Type of the part that holds the bytes. */
  contentType?: string;
  filename?: string;
  headers?: Headers;
}

/** Posts bytes with a presigned form, as the contract tells clients to. @returns the answer of storage */
export async function postForm(upload: Upload, bytes: Buffer, changes: FormChanges = {}): Promise<WireAnswer> {
  const boundary = `conformance-${Math.random().toString(36).slice(2)}`;
  const part = (head: string, value: string | Buffer) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(value as string),
    Buffer.from('\r\n'),
  ];
  const fields = { ...upload.fields, ...changes.fields };
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : part(`name="${changes.named?.(name) ?? name}"`, value),
  );
  const late = Object.entries(changes.late ?? {}).flatMap(([name, value]) => part(`name="${name}"`, value));
  const file = `name="file"; filename="${changes.filename ?? 'file.pdf'}"\r\nContent-Type: ${changes.contentType ?? PDF}`;
  const url = new URL(upload.url);
  return exchangeOverHttp({
    baseUrl: url.origin,
    method: 'POST',
    target: url.pathname + url.search,
    headers: [['Content-Type', `multipart/form-data; boundary=${boundary}`], ...(changes.headers ?? [])],
    body: Buffer.concat([...parts, ...part(file, bytes), ...late, Buffer.from(`--${boundary}--\r\n`)]),
    timeoutMs: STORAGE_TIMEOUT_MS,
  });
}

export const accepted = ({ status }: WireAnswer): boolean => status >= 200 && status < 300;

/** Posts bytes with the form; storage must accept them. */
export async function store(t: TestContext, upload: Upload, bytes: Buffer): Promise<void> {
  const answer = await postForm(upload, bytes);
  t.check(accepted(answer), `storage refused a right form with ${answer.status}: ${excerpt(answer)}`);
}

const excerpt = ({ body }: WireAnswer) => body.subarray(0, 200).toString('utf8');

/** Sends a confirmation unchanged, after asking for permission. @param body undefined sends no body */
export async function confirm(t: TestContext, api: Api, id: string, body: unknown = {}): Promise<Answer> {
  await t.mayWrite();
  return api.send({ method: 'POST', path: `/files/${id}/_confirm`, body });
}

/** A reserved upload whose bytes are in storage, and which is not confirmed. */
export async function stored(t: TestContext, api: Api, bytes: Buffer): Promise<ReservedUpload> {
  const reserved = await reserve(t, api, bytes.length);
  await store(t, reserved.upload, bytes);
  return reserved;
}

/** A confirmed upload. @returns its file_id */
export async function uploaded(
  t: TestContext,
  api: Api = t.as('full'),
  bytes: Buffer = pdf(titleOf(t)),
): Promise<string> {
  const { file } = await stored(t, api, bytes);
  (await confirm(t, api, file.id)).ok('confirmFile');
  return file.id;
}

/** A body for createDocument from an upload; nothing is sent. */
export const uploadBody = (t: TestContext, fileId: string, more: object = {}): Record<string, unknown> => ({
  title: titleOf(t),
  type_id: t.fixture('document_type_id'),
  file_id: fileId,
  ...more,
});

/** A new draft from its own upload. */
export async function draftFromUpload(
  t: TestContext,
  api: Api = t.as('full'),
  bytes: Buffer = pdf(titleOf(t)),
  more: object = {},
): Promise<Document> {
  const id = await uploaded(t, api, bytes);
  return (await create(t, api, uploadBody(t, id, more))).ok('createDocument').document;
}

/** A document as it is now, as a key's owner sees it. */
export async function readDocument(api: Api, id: string): Promise<Document> {
  return (await api.get(`/documents/${id}`)).ok('getDocument').document;
}

/** Ids of the documents that a search finds for a key's owner, on all pages. */
export async function found(api: Api, search: string, more: object = {}): Promise<string[]> {
  return (await api.walk('listDocuments', { search, ...more })).map(({ id }) => id);
}

/** The download URL of a document's file, and what is said of the file. */
export async function downloadOf(api: Api, id: string, fileId?: string): Promise<Download> {
  const query = fileId === undefined ? {} : { file_id: fileId };
  return (await api.get(`/documents/${id}/_download`, query)).ok('downloadDocument');
}

/** A plain GET (or another method) of a presigned URL, without the key. */
export function fetchUrl(address: string, method = 'GET', headers: Headers = []): Promise<WireAnswer> {
  const url = new URL(address);
  const target = url.pathname + url.search;
  return exchangeOverHttp({ baseUrl: url.origin, method, target, headers, timeoutMs: STORAGE_TIMEOUT_MS });
}

/** The bytes behind a presigned URL. */
export async function fetchFile(t: TestContext, address: string): Promise<Buffer> {
  const answer = await fetchUrl(address);
  t.check(answer.status === 200, `the download URL answered ${answer.status}: ${excerpt(answer)}`);
  return answer.body;
}

/** A step as it stands in a request, in the target's spelling. */
export interface StepPlan {
  step_type: string;
  rule?: string;
  participants: { employee_id: string; key_type?: string }[];
}

const slots = (employees: readonly string[]) => employees.map((employee_id) => ({ employee_id }));
export const approvalBy = (t: TestContext, ...employees: string[]): StepPlan => ({
  step_type: t.spelling.step_type.APPROVAL,
  participants: slots(employees),
});
export const signingBy = (t: TestContext, ...employees: string[]): StepPlan => ({
  step_type: t.spelling.step_type.SIGNING,
  participants: slots(employees),
});

export async function setRoute(t: TestContext, api: Api, id: string, steps: readonly StepPlan[]): Promise<Document> {
  await t.mayWrite();
  return (await api.post(`/documents/${id}/_set_route`, { steps })).ok('setDocumentRoute').document;
}

export async function sendOff(t: TestContext, api: Api, id: string): Promise<Document> {
  await t.mayWrite();
  return (await api.post(`/documents/${id}/_send`, {})).ok('sendDocument').document;
}

/** Sends an action of a participant unchanged, after asking for permission. */
export async function act(
  t: TestContext,
  api: Api,
  id: string,
  action: 'approve' | 'sign' | 'reject',
  body: object = {},
): Promise<Answer> {
  await t.mayWrite();
  return api.post(`/documents/${id}/_${action}`, body);
}

/** The body of a rejection. It names the employee's active slot if the target requires that. */
export async function rejection(api: Api, id: string, employeeId: string, comment = 'Нет.'): Promise<object> {
  if (api.context.values.omitted_participant_id === 'active_slot') return { comment };
  const { route } = await readDocument(api, id);
  const { ACTIVE } = api.context.spelling.step_status;
  const active = route.steps.find(({ status }) => status === ACTIVE);
  const slot = active?.participants.find(({ employee_id }) => employee_id === employeeId);
  return { comment, participant_id: api.context.present(slot, 'the document has no active slot of the employee').id };
}

/** Several documents that one search finds, oldest first. */
export async function several(t: TestContext, api: Api, count: number): Promise<{ mark: string; ids: string[] }> {
  const mark = titleOf(t);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await draft(t, api, { title: `${mark} ${i}` })).id);
  return { mark, ids };
}
