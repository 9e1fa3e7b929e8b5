/** Checks what a document is to be made from (D-16, D-17). Each stage reports all its violations together. */
import type { CreateDocumentRequest } from '../../../generated/client/types.gen.ts';
import type { Caller } from '../../access/caller.ts';
import { fail, failFields, type Violation } from '../../answers/errors.ts';
import type { DocumentTemplateVersionRow } from '../../data/collections/document_template_versions.ts';
import type { DocumentTypeRow } from '../../data/collections/document_types.ts';
import type { DocumentRow } from '../../data/collections/documents.ts';
import { type EmployeeRow, isEmployed } from '../../data/collections/employees.ts';
import type { VisibleRow } from '../../data/reads.ts';
import type { CheckedRequest } from '../../http/handler.ts';
import { todayIn } from '../../runtime/day.ts';
import { linkableUpload } from '../../storage/uploads.ts';
import { filledDocument } from '../pdf/filled-document.ts';
import type { FilledDocument } from '../pdf/layout.ts';
import { sizeViolations, templateValueViolations } from '../templates/values.ts';
import { hasVisibleText } from '../workflow/input.ts';
import { Refusal } from '../workflow/relied-on.ts';

/** Where the bytes of a document's PDF come from. */
type ContentSource =
  | { readonly file_id: string }
  | {
      readonly template: NonNullable<DocumentRow['template']>;
      /** What is printed, without the document's id. */
      readonly filled: FilledDocument;
    };

type NamedFields = 'title' | 'type_id' | 'number' | 'date' | 'organization_id' | 'subject_employee_ids';

/** A document that may be created, with everything that the service fills in; absent text is `''`. */
export interface NewDocument extends Pick<DocumentRow, NamedFields | 'department_id' | 'initiator_employee_id'> {
  readonly source: ContentSource;
}

/** A body in which parts may be missing; `wrong` names the parts that are missing because they are wrong. */
type JudgedBody = Pick<CheckedRequest<'createDocument'>, 'body' | 'wrong'>;

/**
 * Rules that need only the body: a visible title, exactly one source, no template fields together with a file, values
 * that are not too much to look at, no subject twice.
 */
export function ownViolations({ body, wrong }: JudgedBody): Violation[] {
  const found: Violation[] = [];
  if (body.title !== undefined && !hasVisibleText(body.title)) {
    found.push({ field: 'title', description: 'must have at least one visible character' });
  }
  const { template_id, file_id } = idsOf(body);
  const isKnown = !wrong.has('template_id') && !wrong.has('file_id');
  if (isKnown && (template_id === '') === (file_id === '')) {
    const sayOf = (other: string) =>
      template_id === '' ? `is required, unless ${other} is given` : `must not be given beside ${other}`;
    found.push({ field: 'template_id', description: sayOf('file_id') });
    found.push({ field: 'file_id', description: sayOf('template_id') });
  } else if (file_id !== '') {
    for (const field of ['template_version', 'template_values'] as const) {
      if (body[field] !== undefined) found.push({ field, description: 'goes with template_id only' });
    }
  }
  if (body.template_values !== undefined) found.push(...sizeViolations(body.template_values));
  const subjects = idsOf(body).subject_employee_ids.filter((id) => id !== undefined);
  if (new Set(subjects).size < subjects.length) {
    found.push({ field: 'subject_employee_ids', description: 'must not name an employee twice' });
  }
  return found;
}

/**
 * Violations of rules that need only the body; if there are any, or the shape is wrong, also references in right fields
 * that the store does not know. A body in which nothing of this is wrong may be the repeat of a creation, so its
 * references are looked up only by {@link draftOf}, as are the initiator and the state of the file (D-17).
 */
export async function creationViolations(request: JudgedBody & { readonly caller: Caller }): Promise<Violation[]> {
  const { caller, body } = request;
  const own = ownViolations(request);
  if (request.wrong.size === 0 && own.length === 0) return [];
  const wrong = new Set([...request.wrong, ...own.map(({ field }) => field)]);
  const { found } = await lookUp(caller, soughtOf(body, wrong));
  return [...own, ...found];
}

/** The optional ids; `''` for a missing one. */
function idsOf({ template_id, file_id, organization_id = '', subject_employee_ids = [] }: JudgedBody['body']) {
  return { template_id: template_id ?? '', file_id: file_id ?? '', organization_id, subject_employee_ids };
}

/** What to look up in the store. Undefined fields are not checked. */
interface SoughtRows extends Pick<JudgedBody['body'], 'title' | 'number' | 'date'> {
  readonly type_id: string | undefined;
  readonly organization_id: string;
  readonly subject_employee_ids: readonly (string | undefined)[];
  readonly source:
    | { readonly file_id: string }
    | {
        readonly template_id: string;
        readonly version: number | 'wrong' | undefined;
        readonly values: object | undefined;
      }
    | undefined;
}

function soughtOf(body: JudgedBody['body'], wrong: ReadonlySet<string>): SoughtRows {
  const { template_id, file_id, organization_id, subject_employee_ids } = idsOf(body);
  let source: SoughtRows['source'];
  if (template_id !== '' && !wrong.has('template_id')) {
    const version = wrong.has('template_version') ? 'wrong' : body.template_version;
    source = { template_id, version, values: wrong.has('template_values') ? undefined : (body.template_values ?? {}) };
  } else if (file_id !== '' && !wrong.has('file_id')) source = { file_id };
  const { number, date } = body;
  const title = wrong.has('title') ? undefined : body.title;
  return { title, number, date, type_id: body.type_id, organization_id, subject_employee_ids, source };
}

/**
 * Checks the fields of a body against the store.
 * @param usualOrganizationId the organisation whose title is used if the body names none
 */
async function lookUp(
  caller: Caller,
  { type_id, organization_id, subject_employee_ids, source, ...texts }: SoughtRows,
  usualOrganizationId = '',
) {
  const isUpload = source !== undefined && 'file_id' in source;
  const named = subject_employee_ids.filter((id) => id !== undefined);
  const typeAsked = type_id === undefined ? undefined : caller.documentTypes.find(type_id);
  const [type, organizations, subjects, made] = await Promise.all([
    typeAsked,
    caller.inTenant('organizations').byId([organization_id || usualOrganizationId], ['title']),
    caller.employees.visibleIds(named),
    source === undefined || 'file_id' in source ? undefined : templateOf(caller, typeAsked, source),
  ]);
  const refused = type_id === undefined ? [] : typeRefusals(type, isUpload);
  if (organization_id !== '' && !organizations.has(organization_id)) {
    refused.push(new Refusal('organization', 'organization_id'));
  }
  for (const [i, id] of subject_employee_ids.entries()) {
    if (id !== undefined && !subjects.has(id)) {
      refused.push(new Refusal('subject_seen', `subject_employee_ids[${i}]`));
    }
  }
  const found: Violation[] = [...refused, ...(made?.refusals ?? []), ...(made?.wrongValues ?? [])];
  const { title = '', number = '', date = '' } = texts;
  const organization = organizations.get(organization_id || usualOrganizationId)?.title ?? '';
  const { version, values } = made ?? {};
  const fields = { id: '', title, number, date, organization };
  const { content, variable_schema = '' } = version ?? {};
  const printing = version && values && filledDocument({ ...fields, content, variable_schema, values });
  if (printing && 'violations' in printing) found.push(...printing.violations);
  return { found, version, filled: printing && 'filled' in printing ? printing.filled : undefined };
}

/**
 * Makes every check that needs the store, in the order of D-17, and writes nothing.
 * @param body one that has passed {@link creationViolations}
 * @param documentId the id that the document will have
 * @throws ApiError DOCUMENT_INITIATOR_NOT_FOUND, then INVALID_ARGUMENT, then {@link linkableUpload}'s
 */
export async function draftOf(caller: Caller, body: CreateDocumentRequest, documentId: string): Promise<NewDocument> {
  const initiator = await initiatorOf(caller);
  const { title, type_id, number = '', subject_employee_ids = [], template_values = {} } = body;
  const { file_id, organization_id } = idsOf(body);
  const date = body.date || todayIn(caller.tenant.timeZone);
  const sought = soughtOf({ ...body, date }, new Set());
  const { found, version, filled } = await lookUp(caller, sought, initiator.organization_id);
  if (found.length > 0) failFields(found);

  const document = {
    title,
    type_id,
    number,
    date,
    organization_id: organization_id || initiator.organization_id,
    subject_employee_ids,
    department_id: initiator.department_id,
    initiator_employee_id: initiator._id,
  };
  if (file_id !== '') {
    await linkableUpload(caller, file_id, documentId);
    return { ...document, source: { file_id } };
  }
  if (version === undefined || filled === undefined) throw new Error('a template without a version was not refused');
  const template = { id: version.template_id, version: version.version, values: JSON.stringify(template_values) };
  return { ...document, source: { template, filled } };
}

/** The owner's employee, with any permission profile. Drafts, deleted and terminated employees cannot be initiators. */
async function initiatorOf(caller: Caller): Promise<EmployeeRow> {
  const { employeeId } = caller.owner;
  const row = employeeId === '' ? undefined : await caller.inTenant('employees').first({ _id: employeeId });
  if (row === undefined || !isEmployed(row)) return fail('DOCUMENT_INITIATOR_NOT_FOUND');
  return row;
}

function typeRefusals(type: VisibleRow<DocumentTypeRow> | undefined, isUpload: boolean): Refusal[] {
  if (type === undefined) return [new Refusal('type_seen', 'type_id')];
  if (type.status !== 'ACTIVE') return [new Refusal('type_active', 'type_id')];
  if (!type.allow_api) return [new Refusal('type_for_api', 'type_id')];
  if (isUpload && !type.allow_upload) return [new Refusal('type_for_upload', 'type_id')];
  return [];
}

interface MadeDocument {
  readonly refusals?: readonly Refusal[];
  readonly wrongValues?: readonly Violation[];
  readonly version?: DocumentTemplateVersionRow;
  /** The values, if they fit the version. */
  readonly values?: object;
}

/**
 * The version of the template, and violations of it and of the values, as far as they are checked.
 * @param typeAsked the type that the template must belong to; one that is not known says nothing about the template
 */
async function templateOf(
  caller: Caller,
  typeAsked: Promise<VisibleRow<DocumentTypeRow> | undefined> | undefined,
  { template_id, version: asked, values }: Exclude<SoughtRows['source'], { file_id: string } | undefined>,
): Promise<MadeDocument> {
  const [template, type] = await Promise.all([caller.documentTemplates.find(template_id), typeAsked]);
  if (template === undefined || (type !== undefined && template.type_id !== type._id)) {
    return { refusals: [new Refusal('template_of_type', 'template_id')] };
  }
  if (template.status !== 'ACTIVE') return { refusals: [new Refusal('template_active', 'template_id')] };
  if (asked === 'wrong') return {};
  const versionId = `${template_id}:${asked ?? template.version}`;
  const version = await caller.inTenant('document_template_versions').first({ _id: versionId });
  if (version === undefined) return { refusals: [new Refusal('template_version', 'template_version')] };
  if (values === undefined) return { version };
  const wrongValues = templateValueViolations(version.variable_schema, values);
  return wrongValues.length > 0 ? { wrongValues, version } : { version, values };
}
