/**
 * Documents: who acts on them, the calls that create, move, read and fetch them, and their uploads. Every call that
 * changes the tenant asks for permission first; what it creates carries the run id and the rule in its title. Calls to
 * storage are not calls to the API: they carry no key, and are neither paced nor judged by the contract.
 */
import type { Answers } from '../../../generated/contract.ts';
import { oncePerRun } from '../../engine/per-run.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';
import type { Api } from '../../http/api.ts';
import { exchangeOverHttp, type WireAnswer } from '../../http/client.ts';
import type { Headers } from '../../http/exchange.ts';
import type { FixtureName, KeyName } from '../../profile/schema.ts';
import { wordOf } from '../../profile/spelling.ts';
import { type Schema, valuesFor } from './template-values.ts';

export type Document = Answers['createDocument']['document'];
type ReservedUpload = Answers['reserveFile'];
export type Upload = ReservedUpload['upload'];
export type Download = Answers['downloadDocument'];

export const PDF = 'application/pdf';
const STORAGE_TIMEOUT_MS = 60_000;
/** A target may print the documents of a tenant one after the other, and let them wait for that. */
export const PRINTED_WITHIN_MS = 60_000;

let made = 0;

/** A title that no other run, rule or call uses; `search` finds only this document by it. */
export function titleOf(t: TestContext, what = 'документ'): string {
  made++;
  return `${t.rule.id} ${what} ${t.run_id}-${process.pid}-${made}`;
}

const OBJECTS = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>
endobj
`;
/** Where they begin. */
const TABLE =
  'xref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n0000000115 00000 n \n' +
  'trailer\n<< /Size 4 /Root 1 0 R >>\n';

/** A small PDF of one empty page. @param text makes its bytes differ; @param sizeBytes pads it to exactly this size */
export function pdf(text = '', sizeBytes = 0): Buffer {
  const build = (padding: number): Buffer => {
    const body = `${OBJECTS}% ${text.replaceAll('\n', ' ')}${' '.repeat(padding)}\n`;
    return Buffer.from(`${body}${TABLE}startxref\n${String(Buffer.byteLength(body)).padStart(10, '0')}\n%%EOF\n`);
  };
  return build(Math.max(0, sizeBytes - build(0).length));
}

/** A template as a key of its tenant sees it; a run reads it only once. */
export const templateOf = oncePerRun(async (t, id: string, api: Api = t.as('full')) => {
  const answer = await api.get(`/document_templates/${id}`);
  return answer.ok('getDocumentTemplate').document_template;
});

/** A body for createDocument from the profile's template, with values that fit its schema; nothing is sent. */
export async function templateBody(t: TestContext, more: object = {}): Promise<Record<string, unknown>> {
  const ids = { type_id: t.fixture('document_type_id'), template_id: t.fixture('document_template_id') };
  return { ...(await bodyOf(t, ids, t.as('full'))), ...more };
}

async function bodyOf(t: TestContext, ids: { type_id: string; template_id: string }, api: Api): Promise<object> {
  const { variable_schema } = await templateOf(t, ids.template_id, api);
  return { title: titleOf(t), ...ids, template_values: valuesFor(variable_schema as Schema) };
}

/** The same for the other tenant, from its template. */
export function otherTenantBody(t: TestContext): Promise<object> {
  const template_id = t.fixture('document_template_other_tenant_id');
  return bodyOf(t, { type_id: t.fixture('document_type_other_tenant_id'), template_id }, t.as('other_tenant'));
}

/** Sends a creation unchanged, after asking for permission. @param key an Idempotency-Key */
export async function create(t: TestContext, api: Api, body: unknown, key?: string): Promise<Answer> {
  await t.mayWrite();
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return api.post('/documents', body, { headers, timeoutMs: PRINTED_WITHIN_MS });
}

/** Sends a creation from the template with changes, by any of these keys. */
export const creating = async (t: TestContext, change: object, key: KeyName = 'full'): Promise<Answer> =>
  create(t, t.asAny(key), await templateBody(t, change));

/** The document of a creation that must succeed. */
export async function created(t: TestContext, api: Api, body: unknown, because = ''): Promise<Document> {
  return documentOf(await create(t, api, body), because);
}

export const REPLAYED = 'idempotent-replayed';

/** The document of a creation that succeeded. */
export const documentOf = (answer: Answer, because = ''): Document => answer.ok('createDocument', because).document;

/** The answer must be a replay of this document, created by an earlier request. */
export function mustReplay(t: TestContext, answer: Answer, id: string, because: string): void {
  t.equal(documentOf(answer, because).id, id, `${because}: the document`, answer);
  t.equal(answer.header(REPLAYED), 'true', `${because}: Idempotent-Replayed`, answer);
}

/** A new draft from the profile's template. @param more fields that replace fields of the body or are added to it */
export async function draft(t: TestContext, api: Api = t.as('full'), more: object = {}): Promise<Document> {
  return created(t, api, await templateBody(t, more));
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
export async function postForm(
  t: TestContext,
  upload: Upload,
  bytes: Buffer,
  changes: FormChanges = {},
): Promise<WireAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...upload.fields, ...changes.fields }))
    if (value !== undefined) form.append(changes.named?.(name) ?? name, value);
  const { filename = 'file.pdf', contentType = PDF, late = {}, headers = [] } = changes;
  form.append('file', new File([new Uint8Array(bytes)], filename, { type: contentType }));
  for (const [name, value] of Object.entries(late)) form.append(name, value);
  const written = new Response(form);
  const type = written.headers.get('content-type') ?? '';
  const body = Buffer.from(await written.arrayBuffer());
  return fetchUrl(t, upload.url, 'POST', [['Content-Type', type], ...headers], body);
}

export const accepted = ({ status }: WireAnswer): boolean => status >= 200 && status < 300;
export const refused = ({ status }: { status: number }): boolean => status >= 400 && status < 500;

/** Posts bytes with the form; storage must accept them. */
export async function store(t: TestContext, upload: Upload, bytes: Buffer): Promise<void> {
  const answer = await postForm(t, upload, bytes);
  t.check(accepted(answer), `storage refused a right form with ${answer.status}: ${excerpt(answer)}`);
}

const excerpt = ({ body }: WireAnswer) => body.subarray(0, 200).toString('utf8');

/** Sends a confirmation unchanged, after asking for permission. @param body undefined sends no body */
export async function confirm(t: TestContext, api: Api, id: string, body: unknown = {}): Promise<Answer> {
  await t.mayWrite();
  return api.send({ method: 'POST', path: `/files/${id}/_confirm`, body });
}

/** The upload of a confirmation that must succeed. */
export async function confirmed(
  t: TestContext,
  api: Api,
  id: string,
  because = '',
): Promise<Answers['confirmFile']['file']> {
  return (await confirm(t, api, id)).ok('confirmFile', because).file;
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
  await confirmed(t, api, file.id);
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
  return created(t, api, uploadBody(t, id, more));
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
  return (await api.get(`/documents/${id}/_download`, { file_id: fileId })).ok('downloadDocument');
}

/**
 * A document must be visible or invisible to a key's owner alike by its id, in the list and for download.
 * @returns it as the owner reads it
 */
export async function seen(
  api: Api,
  { id, title }: Pick<Document, 'id' | 'title'>,
  whether: boolean,
  when: string,
): Promise<Document | undefined> {
  const one = await api.get(`/documents/${id}`);
  const download = await api.get(`/documents/${id}/_download`);
  api.context.equal(await found(api, title), whether ? [id] : [], `the list ${when}`);
  if (whether) {
    download.ok('downloadDocument', `downloading it ${when}`);
    return one.ok('getDocument', `reading it ${when}`).document;
  }
  one.fails('DOCUMENT_NOT_FOUND', `reading it ${when}`);
  download.fails('DOCUMENT_NOT_FOUND', `downloading it ${when}`);
  return undefined;
}

/** The bytes that downloading a document, or one of its files, gives. */
export const contentOf = async (t: TestContext, api: Api, id: string, fileId?: string): Promise<Buffer> =>
  fetchFile(t, (await downloadOf(api, id, fileId)).url);

/** A plain GET (or another method) of a presigned URL, without the key. */
export async function fetchUrl(
  t: TestContext,
  address: string,
  method = 'GET',
  headers: Headers = [],
  body?: Buffer,
): Promise<WireAnswer> {
  t.mustGoOn();
  const { origin, pathname, search } = t.present(
    URL.parse(address),
    'the address of a presigned form or URL is no URL',
  );
  const request = { baseUrl: origin, method, target: pathname + search, headers, body };
  return t.run.silence.answer(`storage at ${origin}`, STORAGE_TIMEOUT_MS, (timeoutMs) =>
    exchangeOverHttp({ ...request, timeoutMs }),
  );
}

/** The bytes behind a presigned URL. */
export async function fetchFile(t: TestContext, address: string): Promise<Buffer> {
  const answer = await fetchUrl(t, address);
  t.check(answer.status === 200, `the download URL answered ${answer.status}: ${excerpt(answer)}`);
  return answer.body;
}

/** A step as it stands in a request, in the target's spelling. */
export interface StepPlan {
  step_type: string;
  rule?: string;
  participants: { employee_id: string; key_type?: string }[];
}

/** An owner, with the employee who acts when the owner's key is used. */
export interface Actor {
  name: ActorName;
  api: Api;
  id: string;
}
export type ActorName = 'full' | 'second' | 'restricted';
export type Cast = Readonly<Record<ActorName, Actor>>;

const ring: Readonly<Record<ActorName, { key: KeyName; employee: FixtureName }>> = {
  full: { key: 'full', employee: 'owner_employee_id' },
  second: { key: 'second_owner', employee: 'second_owner_employee_id' },
  restricted: { key: 'restricted_owner', employee: 'restricted_owner_employee_id' },
};

/** The employee who acts with each Api. */
const employees = new WeakMap<Api, string>();

/**
 * `full` initiates and sees every document; the other two see only documents in which they take part.
 * @param options of {@link TestContext.as}, for `full`
 */
export function cast(t: TestContext, options: { spread?: boolean } = {}): Cast {
  const known: Partial<Record<ActorName, Actor>> = {};
  const actor = (name: ActorName): Actor => {
    const { key, employee } = ring[name];
    const one = known[name] ?? { name, api: t.as(key, name === 'full' ? options : {}), id: t.fixture(employee) };
    employees.set(one.api, one.id);
    known[name] = one;
    return one;
  };
  // A rule that uses one actor must not be UNTESTED because the profile lacks another.
  return {
    get full() {
      return actor('full');
    },
    get second() {
      return actor('second');
    },
    get restricted() {
      return actor('restricted');
    },
  };
}

type Who = readonly [Actor, ...Actor[]];
const step = (type: 'APPROVAL' | 'SIGNING', who: Who): StepPlan => ({
  step_type: who[0].api.context.spelling.step_type[type],
  participants: who.map(({ id }) => ({ employee_id: id })),
});
export const approval = (...who: Who): StepPlan => step('APPROVAL', who);
export const signing = (...who: Who): StepPlan => step('SIGNING', who);
/** A step that is complete when one of its participants has acted. */
export const signingOfAny = (...who: Who): StepPlan => ({
  ...signing(...who),
  rule: who[0].api.context.spelling.step_rule.ANY,
});
/** A signing step for one employee, whose signature must be a qualified one. */
export const eds = ({ id, api }: Actor): StepPlan => ({
  step_type: api.context.spelling.step_type.SIGNING,
  participants: [{ employee_id: id, key_type: api.context.spelling.key_type.EDS }],
});

export type Action = '_set_route' | '_send' | '_approve' | '_sign' | '_reject';
export const actions: readonly Action[] = ['_set_route', '_send', '_approve', '_sign', '_reject'];

/** A body that is right for an action. @param steps the route that `_set_route` sets */
export const bodyFor = (action: Action, steps: readonly StepPlan[] = []): object =>
  action === '_set_route' ? { steps } : action === '_reject' ? { comment: 'Нет.' } : {};

/** Sends one action and accepts any answer. */
export async function act(api: Api, documentId: string, action: Action, body: unknown = {}): Promise<Answer> {
  await api.context.mayWrite();
  return api.post(`/documents/${documentId}/${action}`, body);
}

export const operationOfAction = {
  _set_route: 'setDocumentRoute',
  _send: 'sendDocument',
  _approve: 'approveDocument',
  _sign: 'signDocument',
  _reject: 'rejectDocument',
} as const;

/** The body of a rejection. It names the employee's active slot if the target requires that. */
export async function rejection(api: Api, id: string, employeeId: string, comment = 'Нет.'): Promise<object> {
  if (api.context.values.omitted_participant_id === 'active_slot') return { comment };
  const { route } = await readDocument(api, id);
  const { ACTIVE } = api.context.spelling.step_status;
  const active = route.steps.find(({ status }) => status === ACTIVE);
  const slot = active?.participants.find(({ employee_id }) => employee_id === employeeId);
  return { comment, participant_id: api.context.present(slot, 'the document has no active slot of the employee').id };
}

/** One action that must be accepted. @returns the document after it */
export async function done(api: Api, documentId: string, action: Action, body: unknown = {}): Promise<Document> {
  const employeeId = employees.get(api);
  const { comment = '', participant_id } = body as { comment?: string; participant_id?: string };
  // Only a field that may not be omitted is filled in.
  const fill = action === '_reject' && employeeId !== undefined && !participant_id;
  const filled = fill ? { ...(body as object), ...(await rejection(api, documentId, employeeId, comment)) } : body;
  const answer = await act(api, documentId, action, filled);
  const { document } = answer.ok(operationOfAction[action]);
  api.context.equal(document.id, documentId, `the id in the answer to ${action}`, answer);
  return document;
}

export const setRoute = (api: Api, documentId: string, steps: readonly StepPlan[]): Promise<Document> =>
  done(api, documentId, '_set_route', { steps });

/** A draft of the actor's, with its route set. @param start by default a new one from the template */
export async function routed(
  t: TestContext,
  initiator: Actor,
  steps: readonly StepPlan[],
  start?: Pick<Document, 'id'>,
): Promise<Document> {
  return setRoute(initiator.api, (start ?? (await draft(t, initiator.api))).id, steps);
}

/** A document that was sent along its route. @param start as in {@link routed} */
export async function sent(
  t: TestContext,
  initiator: Actor,
  steps: readonly StepPlan[],
  start?: Pick<Document, 'id'>,
): Promise<Document> {
  return done(initiator.api, (await routed(t, initiator, steps, start)).id, '_send');
}

/** Checks that refused requests left no trace. @param before the document before them, as `api` reads it */
export async function unchanged(api: Api, before: Document, because: string): Promise<void> {
  const answer = await api.get(`/documents/${before.id}`);
  api.context.equal(answer.ok('getDocument').document, before, `the document after ${because}`, answer);
}

/** The id of an actor's slot in a step. */
export function slotOf(t: TestContext, document: Document, index: number, { id }: Actor): string {
  const slot = document.route.steps[index]?.participants.find(({ employee_id }) => employee_id === id);
  return t.present(slot, `step ${index} has no slot of the employee that was set`).id;
}

/** Statuses as words, in one line: `ON_SIGN ACTIVE [APPROVAL COMPLETED APPROVED] [SIGNING ACTIVE ACTIVE]`. */
export function outline({ spelling }: TestContext, { status, route }: Pick<Document, 'status' | 'route'>): string {
  const steps = route.steps.map(({ step_type, status: of, participants }) => {
    const slots = participants.map((one) => wordOf(spelling.participant_status, one.status));
    return `[${[wordOf(spelling.step_type, step_type), wordOf(spelling.step_status, of), ...slots].join(' ')}]`;
  });
  return [wordOf(spelling.document_status, status), wordOf(spelling.route_status, route.status), ...steps].join(' ');
}

/** Completes every open slot of these actors until the document is complete. */
export async function complete(t: TestContext, from: Document, who: Cast): Promise<Document> {
  const { step_status, participant_status, step_type, document_status } = t.spelling;
  let document = from;
  for (let turn = 0; turn < 40 && document.route.active; turn++) {
    const active = document.route.steps.find(({ status }) => status === step_status.ACTIVE);
    const slot = active?.participants.find(({ status }) => status === participant_status.ACTIVE);
    const actor = Object.values(who).find(({ id }) => id === slot?.employee_id);
    const action = active?.step_type === step_type.APPROVAL ? '_approve' : '_sign';
    document = await done(t.present(actor, 'an active route has no active slot of ours').api, document.id, action);
  }
  t.equal(document.status, document_status.COMPLETED, 'the status after everybody has acted');
  return document;
}

/** A completed document: `second` approved, `restricted` signed. */
export const completed = async (t: TestContext, who: Cast): Promise<Document> =>
  complete(t, await sent(t, who.full, [approval(who.second), signing(who.restricted)]), who);
