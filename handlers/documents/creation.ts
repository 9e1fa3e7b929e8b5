/** What a document may be made from (D-16, D-17): each stage reports all that is wrong in it together. */
import type { CreateDocumentRequest } from '../../generated/client/types.gen.ts';
import type { Caller } from '../runtime/caller.ts';
import { todayIn } from '../runtime/day.ts';
import { fail, failFields, type Violation } from '../runtime/errors.ts';
import type { DocumentRow, DocumentTemplateVersionRow, DocumentTypeRow, EmployeeRow } from '../runtime/store.ts';
import { linkableUpload } from '../runtime/uploads.ts';
import type { Seen } from '../runtime/ways.ts';
import type { FilledDocument } from './pdf/layout.ts';
import { filledDocument } from './pdf/render.ts';
import { templateValueViolations } from './template-values.ts';
import { ENTRY_WEIGHT, LARGEST_DOCUMENT, LINE_WEIGHT, NARROW_LINE, PAGE_WEIGHT } from './template-weight.ts';
import { saysSomething } from './workflow-input.ts';

const TOO_LARGE =
  `must leave the document with at most ${LARGEST_DOCUMENT} characters once they stand in the text of the template, ` +
  `where a line break counts as ${LINE_WEIGHT}, a table cell, list entry or other piece of text as ${ENTRY_WEIGHT} more, ` +
  `a page break as ${PAGE_WEIGHT}, and a line of a narrow column as ${NARROW_LINE} at least`;

/** A request whose fields agree with each other: ids lower-case, absent text `''`. */
export interface Wanted
  extends Pick<DocumentRow, 'title' | 'type_id' | 'number' | 'date' | 'organization_id' | 'subject_employee_ids'> {
  readonly source:
    | { readonly file_id: string }
    | { readonly template_id: string; readonly version: number | undefined; readonly values: object };
}

/** Where the bytes of a document's PDF come from. */
export type Source =
  | { readonly file_id: string }
  | {
      readonly template: NonNullable<DocumentRow['template']>;
      /** What is printed. */
      readonly filled: FilledDocument;
    };

/** A document that may be created, with all that the service fills in. */
export interface Draft extends Omit<Wanted, 'source'> {
  readonly department_id: string;
  readonly initiator_employee_id: string;
  readonly source: Source;
}

/**
 * Reads the body: exactly one source, nothing of a template beside a file, no subject twice.
 * @throws ApiError INVALID_ARGUMENT naming each field
 */
export function wantedOf(body: CreateDocumentRequest): Wanted {
  const wrong: Violation[] = [];
  if (!saysSomething(body.title)) {
    wrong.push({ field: 'title', description: 'must have at least one visible character' });
  }
  const template_id = (body.template_id ?? '').toLowerCase();
  const file_id = (body.file_id ?? '').toLowerCase();
  if ((template_id === '') === (file_id === '')) {
    const description = 'must be given, or the other of template_id and file_id, but not both';
    wrong.push({ field: 'template_id', description }, { field: 'file_id', description });
  } else if (file_id !== '') {
    for (const field of ['template_version', 'template_values'] as const) {
      if (body[field] !== undefined) wrong.push({ field, description: 'goes with template_id only' });
    }
  }
  const subject_employee_ids = (body.subject_employee_ids ?? []).map((id) => id.toLowerCase());
  if (new Set(subject_employee_ids).size < subject_employee_ids.length) {
    wrong.push({ field: 'subject_employee_ids', description: 'must not name an employee twice' });
  }
  if (wrong.length > 0) failFields(wrong);
  const { title, number = '', date = '', template_version: version, template_values: values = {} } = body;
  const source = file_id === '' ? { template_id, version, values } : { file_id };
  const ids = { type_id: body.type_id.toLowerCase(), organization_id: (body.organization_id ?? '').toLowerCase() };
  return { title, number, date, ...ids, subject_employee_ids, source };
}

/**
 * Checks everything that the store knows, in the order of D-17, and writes nothing.
 * @param documentId the id that the document will have
 * @throws ApiError DOCUMENT_INITIATOR_NOT_FOUND, then INVALID_ARGUMENT, then {@link linkableUpload}'s
 */
export async function draftOf(caller: Caller, wanted: Wanted, documentId: string): Promise<Draft> {
  const initiator = await initiatorOf(caller);
  const wrong: Violation[] = [];
  const organization_id = wanted.organization_id || initiator.organization_id;
  const [type, organizations, subjects, made] = await Promise.all([
    caller.documentTypes.find(wanted.type_id),
    caller.inTenant('organizations').byId([organization_id], ['title']),
    caller.employees.visibleIds(wanted.subject_employee_ids),
    'file_id' in wanted.source ? undefined : templateOf(caller, wanted.type_id, wanted.source),
  ]);
  wrong.push(...typeViolations(type, 'file_id' in wanted.source));
  const organization = organizations.get(organization_id);
  if (wanted.organization_id !== '' && organization === undefined) {
    wrong.push({ field: 'organization_id', description: 'is not an organisation of the tenant' });
  }
  for (const [i, id] of wanted.subject_employee_ids.entries()) {
    if (!subjects.has(id)) {
      wrong.push({ field: `subject_employee_ids[${i}]`, description: "is not an employee whom the key's owner sees" });
    }
  }
  if (made !== undefined) wrong.push(...made.violations);
  if (wrong.length > 0) failFields(wrong);

  const { source: asked, ...fields } = wanted;
  const filled = {
    ...fields,
    organization_id,
    date: wanted.date || todayIn(caller.tenant.timeZone),
    department_id: initiator.department_id,
    initiator_employee_id: initiator._id,
  };
  if ('file_id' in asked) {
    await linkableUpload(caller, asked.file_id, documentId);
    return { ...filled, source: asked };
  }
  const version = made?.version as DocumentTemplateVersionRow;
  const template = { id: asked.template_id, version: version.version, values: JSON.stringify(asked.values) };
  const printed = filledDocument({
    ...{ id: documentId, title: filled.title, number: filled.number, date: filled.date },
    ...{ organization: organization?.title ?? '', content: version.content },
    ...{ variable_schema: version.variable_schema, values: asked.values },
  });
  if (printed === undefined) return failFields([{ field: 'template_values', description: TOO_LARGE }]);
  return { ...filled, source: { template, filled: printed } };
}

/** The owner's employee, whoever sees it: drafts, deleted and terminated ones initiate nothing. */
async function initiatorOf(caller: Caller): Promise<EmployeeRow> {
  const { employeeId } = caller.owner;
  const row =
    employeeId === '' ? undefined : await caller.inTenant('employees').first({ _id: employeeId, listed: true });
  if (row === undefined || row.status === 'EMPLOYEE_STATUS_TERMINATED') return fail('DOCUMENT_INITIATOR_NOT_FOUND');
  return row;
}

function typeViolations(type: Seen<DocumentTypeRow> | undefined, isUpload: boolean): Violation[] {
  const field = 'type_id';
  if (type === undefined) return [{ field, description: "is not a document type that the key's owner sees" }];
  if (type.status !== 'ACTIVE') return [{ field, description: 'is an archived document type' }];
  if (!type.allow_api) return [{ field, description: 'is a document type without allow_api' }];
  if (isUpload && !type.allow_upload) return [{ field, description: 'is a document type without allow_upload' }];
  return [];
}

interface Made {
  readonly violations: readonly Violation[];
  readonly version?: DocumentTemplateVersionRow;
}

/** The version of the template, with what is wrong about it or the values. */
async function templateOf(
  caller: Caller,
  typeId: string,
  { template_id, version: asked, values }: Exclude<Wanted['source'], { file_id: string }>,
): Promise<Made> {
  const refused = (field: string, description: string) => ({ violations: [{ field, description }] });
  const template = await caller.documentTemplates.find(template_id);
  if (template === undefined || template.type_id !== typeId) {
    return refused('template_id', 'is not a template of this document type');
  }
  if (template.status !== 'ACTIVE') return refused('template_id', 'is an archived template');
  const versionId = `${template_id}:${asked ?? template.version}`;
  const version = await caller.inTenant('document_template_versions').first({ _id: versionId });
  if (version === undefined) return refused('template_version', 'is not a version of this template');
  return { violations: templateValueViolations(version.variable_schema, values), version };
}
