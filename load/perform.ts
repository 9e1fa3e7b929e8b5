/** The journeys as k6 performs them. */
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import { altered, type Page, pageOf, Walk } from './checks.ts';
import type { Plan } from './plan.ts';
import type { JourneyName } from './scenarios.ts';
import { call, judge, type Request, ring } from './target.ts';

/** What the runner has prepared in addition to the plan. */
export interface PreparedRun {
  readonly template_values?: unknown;
}

interface Journey {
  readonly plan: Plan;
  readonly key: string;
  /** Unique in the run. */
  readonly id: string;
  readonly prepared: PreparedRun;
}

const completed = new Counter('documents_completed');
const walksFinished = new Counter('walks_finished');

type Json = Record<string, Record<string, unknown> & string> | undefined;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n';

function reads({ plan, key }: Journey): void {
  call(plan, key, 'verifyApiKey');
  call(plan, key, 'listEmployees', { query: 'limit=50&expand=person&expand=department' });
  call(plan, key, 'getEmployee', { path: { employee_id: plan.fixtures.employee_id ?? '' } });
  call(plan, key, 'listDocumentTypes');
  call(plan, key, 'listDocumentTemplates');
  call(plan, key, 'listDocuments', { query: 'limit=20' });
}

function page(plan: Plan, key: string, rows: 'employees' | 'documents', query: string): Page | undefined {
  const answer = call(plan, key, rows === 'employees' ? 'listEmployees' : 'listDocuments', { query });
  const found = pageOf(JSON.stringify(answer ?? null), rows);
  judge(`a page of ${rows} has rows with ids and a next_page_token`, found ? '' : 'it has not');
  return found;
}

const pageQuery = (limit: number, token: string) =>
  `limit=${limit}${token === '' ? '' : `&page_token=${encodeURIComponent(token)}`}`;

/** A token leads to the next page; an altered token, and one with another limit, are refused. */
function pages({ plan, key }: Journey): void {
  const first = page(plan, key, 'employees', 'limit=5');
  const token = first?.nextToken ?? '';
  if (first === undefined || token === '') return;
  const second = page(plan, key, 'employees', pageQuery(5, token));
  const walk = new Walk(5);
  const problem = walk.add(first) || (second ? walk.add(second) : '');
  judge('a page token leads to the next rows', problem);
  const refused = (value: string, limit: number) =>
    call(plan, key, 'listEmployees', { query: pageQuery(limit, value), fails: 'INVALID_ARGUMENT' });
  refused(altered(token), 5);
  refused(token, 6);
}

function errors({ plan, key }: Journey): void {
  call(plan, key, 'getEmployee', { path: { employee_id: NOBODY }, fails: 'EMPLOYEE_NOT_FOUND' });
  call(plan, key, 'listEmployees', { query: 'status=NO_SUCH_STATUS', fails: 'INVALID_ARGUMENT' });
  call(plan, key, 'listEmployees', { query: 'no_such_filter=1', fails: 'INVALID_ARGUMENT' });
  // As long as a real key, so that it is refused for its content and not for its length.
  call(plan, 'x'.repeat(key.length), 'verifyApiKey', { fails: 'API_KEY_INVALID' });
  if (ring.no_scope) call(plan, ring.no_scope, 'listEmployees', { fails: 'SCOPE_INSUFFICIENT' });
}

let walk: Walk | undefined;
let nextToken = '';

/** One page of this user's walk; odd users walk documents, even ones employees. */
function walkOn({ plan, key }: Journey): void {
  const rows = exec.vu.idInTest % 2 === 0 ? 'employees' : 'documents';
  walk ??= new Walk(plan.pageLimit);
  const found = page(plan, key, rows, pageQuery(plan.pageLimit, nextToken));
  if (found === undefined) {
    walk = undefined;
    nextToken = '';
    return;
  }
  judge(`a walk over ${rows} repeats nothing`, walk.add(found));
  nextToken = found.nextToken;
  if (nextToken !== '') return;
  const all = rows === 'documents' || walk.size >= plan.employeesAtLeast;
  judge(`a walk over ${rows} comes to its end with all rows`, all ? '' : `it ended after ${walk.size} rows`);
  walksFinished.add(1, { rows });
  walk = undefined;
}

function document({ plan, key, id, prepared }: Journey): void {
  const { document_type_id, document_template_id, owner_employee_id } = plan.fixtures;
  const body = {
    title: `load ${id}`,
    type_id: document_type_id,
    template_id: document_template_id,
    template_values: prepared.template_values,
  };
  const creation = { body, idempotencyKey: `load-${id}` };
  const made = call(plan, key, 'createDocument', creation) as Json;
  const document_id = made?.document?.id as string | undefined;
  if (document_id === undefined) return;
  const again = (call(plan, key, 'createDocument', creation) as Json)?.document?.id;
  // What was refused, such as by a database that is away, has been counted by the call.
  if (again !== undefined)
    judge('a repeated creation gives the same document', again === document_id ? '' : 'it gave another');
  const path = { document_id };
  const participants = [{ employee_id: owner_employee_id }];
  const { approval, signing, completed: end } = plan.spelling;
  const steps = [approval, signing].map((step_type) => ({ step_type, participants }));
  call(plan, key, 'setDocumentRoute', { path, body: { steps } });
  call(plan, key, 'sendDocument', { path, body: {} });
  call(plan, key, 'approveDocument', { path, body: {} });
  const signed = call(plan, key, 'signDocument', { path, body: {} }) as Json;
  const status = signed?.document?.status as string | undefined;
  if (judge('the last signature completes a document', status === end ? '' : `${status}`)) {
    completed.add(1);
  }
  call(plan, key, 'getDocument', { path });
  const { url } = (call(plan, key, 'downloadDocument', { path }) ?? {}) as { url?: string };
  if (url === undefined || !mayGoTo(plan, url)) return;
  const tags = { name: 'storage: download' };
  const file = http.get(url, { tags, responseType: 'text', timeout: '60s' });
  const isPdf = file.status === 200 && String(file.body).startsWith('%PDF-');
  judge('a download URL gives a PDF', isPdf ? '' : `${file.status}`);
}

/** Load on this machine must not become load on a storage elsewhere. */
function mayGoTo(plan: Plan, url: string): boolean {
  const local = /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])[:/]/i;
  if (!local.test(plan.baseUrl) || local.test(url)) return true;
  return judge('storage is on this machine, as the API is', 'it is elsewhere, and gets no load without consent');
}

const BOUNDARY = 'load-form-boundary';

/** Written by hand: the file must come last, and k6 sends the parts of an object in any order. */
function form(fields: Readonly<Record<string, string>>): string {
  const part = (head: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const file = 'name="file"; filename="load.pdf"\r\nContent-Type: application/pdf';
  const parts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value));
  return `${parts.join('')}${part(file, PDF)}--${BOUNDARY}--\r\n`;
}

function upload({ plan, key, id }: Journey): void {
  const content_type = 'application/pdf';
  const reserved = call(plan, key, 'reserveFile', {
    body: { filename: `load-${id}.pdf`, content_type, size_bytes: PDF.length },
  }) as { file: { id: string }; upload: { url: string; fields: Record<string, string> } } | undefined;
  if (reserved === undefined || !mayGoTo(plan, reserved.upload.url)) return;
  const { url, fields } = reserved.upload;
  const params = { headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }, timeout: '60s' };
  const stored = http.post(url, form(fields), { ...params, tags: { name: 'storage: upload' } });
  const isStored = stored.status >= 200 && stored.status < 300;
  if (!judge('storage takes a presigned form', isStored ? '' : `${stored.status}`)) return;
  call(plan, key, 'confirmFile', { path: { file_id: reserved.file.id }, body: {} });
  const body = { title: `load ${id}`, type_id: plan.fixtures.document_type_id, file_id: reserved.file.id };
  call(plan, key, 'createDocument', { body });
}

const PEOPLE = 10;

/** Persons of one pool, loaded again in each run, so that runs do not accumulate data. */
function ingest({ plan, key, id }: Journey): void {
  const records = Array.from({ length: PEOPLE }, (_, n) => ({
    external_id: `load-${plan.tag}-${n}`,
    first_name: 'Проба',
    last_name: 'Нагрузки',
    birth_date: '1990-03-15',
    phone: id,
  }));
  const request: Request = {
    path: { source_type: 'KEDO' },
    body: { payload_type: 'PERSONS', create_missing: true, records },
    idempotencyKey: `load-${id}`,
  };
  call(plan, key, 'ingestRecords', request);
  call(plan, key, 'ingestRecords', { ...request, fails: 'INGEST_ALREADY_ACCEPTED' });
}

function webhook({ plan, key }: Journey): void {
  const path = { id: plan.fixtures.webhook_endpoint_id ?? '' };
  const answer = call(plan, key, 'testWebhookEndpoint', { path, body: {} }) as
    | { status_code: number; error: string }
    | undefined;
  if (answer)
    judge('a test event is delivered', answer.status_code === 200 ? '' : answer.error || `${answer.status_code}`);
}

/** Performs a journey. */
export const perform: Readonly<Record<JourneyName, (journey: Journey) => void>> = {
  reads,
  pages,
  errors,
  walk: walkOn,
  document,
  upload,
  ingest,
  webhook,
};
