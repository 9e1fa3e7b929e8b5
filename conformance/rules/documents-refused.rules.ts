import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { KeyName } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID, unique } from './shared/calls.ts';
import {
  create,
  found,
  pdf,
  stored,
  templateBody,
  templateOf,
  titleOf,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { need, together } from './shared/needs.ts';
import { mustLookTheSame } from './shared/same-answer.ts';
import { brokenValues, type Schema } from './shared/template-values.ts';

/** Sends a creation from the template with changes, by any of the full keys. */
const creating = async (t: TestContext, change: object, key: KeyName = 'full'): Promise<Answer> =>
  create(t, t.as(key, { spread: true }), await templateBody(t, change));

/** No document with this title was created. */
async function nothingMade(t: TestContext, title: string): Promise<void> {
  t.equal(await found(t.as('full'), title), [], 'documents with the title of what was refused');
}

rule({
  id: 'DOC-5',
  level: 'MUST',
  text: 'A creation with neither template_id nor file_id is INVALID_ARGUMENT, and nothing is created.',
  place: 'createDocument',
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const title = titleOf(t);
    const neither = { title, template_id: undefined, template_values: undefined };
    (await creating(t, neither)).fails('INVALID_ARGUMENT', 'neither');
    (await creating(t, { title, template_id: undefined })).fails('INVALID_ARGUMENT', 'values without a template');
    await nothingMade(t, title);
  },
});

rule({
  id: 'DOC-6',
  level: 'MUST',
  text: 'A creation with both template_id and file_id is INVALID_ARGUMENT, and nothing is created.',
  place: 'createDocument',
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const title = titleOf(t);
    for (const file_id of [UNKNOWN_ID, await uploaded(t)]) {
      (await creating(t, { title, file_id })).fails('INVALID_ARGUMENT', 'both');
      (await creating(t, { title, file_id, template_values: undefined })).fails('INVALID_ARGUMENT', 'both, no values');
    }
    await nothingMade(t, title);
  },
});

rule({
  id: 'DOC-7',
  level: 'MUST',
  text: 'An explicit null or "" for template_id or file_id is treated as the target declares.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const absent = t.values.null_and_empty_sources === 'absent';
    for (const nothing of [null, '']) {
      const beside = await creating(t, { file_id: nothing });
      if (absent) beside.ok('createDocument', `file_id ${JSON.stringify(nothing)} beside a template`);
      else beside.fails('INVALID_ARGUMENT', `file_id ${JSON.stringify(nothing)}`);
      const none = { template_id: nothing, file_id: nothing, template_values: undefined };
      (await creating(t, none)).fails('INVALID_ARGUMENT', `both ${JSON.stringify(nothing)}`);
      (await creating(t, { template_id: nothing })).fails('INVALID_ARGUMENT', 'values without a template');
    }
    const id = await uploaded(t);
    const other = await create(t, t.as('full'), uploadBody(t, id, { template_id: null }));
    if (absent) other.ok('createDocument', 'template_id null beside an upload');
    else other.fails('INVALID_ARGUMENT', 'template_id null');
  },
});

rule({
  id: 'DOC-9',
  level: 'MUST',
  text: 'An unknown file_id is FILE_NOT_FOUND.',
  place: 'createDocument',
  needs: together(need.uploads, { operations: ['createDocument'], fixtures: ['document_type_id'] }),
  check: async (t) => {
    (await create(t, t.as('full'), uploadBody(t, UNKNOWN_ID))).fails('FILE_NOT_FOUND', 'an unknown file_id');
    for (const id of ['x', `${UNKNOWN_ID}x`, '{"$gt":""}'])
      (await create(t, t.as('full'), uploadBody(t, id))).blames('file_id', id);
  },
});

rule({
  id: 'DOC-10',
  level: 'MUST',
  text: 'A confirmed upload of another owner, or of another tenant, answers exactly as an unknown one.',
  place: 'createDocument, FILE_NOT_FOUND',
  needs: together(need.uploads, {
    keys: ['second_owner', 'other_tenant'],
    operations: ['createDocument'],
    fixtures: ['document_type_id'],
  }),
  check: async (t) => {
    const full = t.as('full');
    const reference = await create(t, full, uploadBody(t, UNKNOWN_ID));
    reference.fails('FILE_NOT_FOUND', 'an unknown file_id');
    for (const owner of ['second_owner', 'other_tenant'] as const) {
      const { file } = await stored(t, t.as(owner), pdf(owner));
      mustLookTheSame(t, await create(t, full, uploadBody(t, file.id)), reference, `an upload of ${owner}`);
      const id = await uploaded(t, t.as(owner));
      mustLookTheSame(t, await create(t, full, uploadBody(t, id)), reference, `a confirmed upload of ${owner}`);
    }
  },
});

rule({
  id: 'DOC-13',
  level: 'MUST',
  text: 'A document type that is unknown, archived, of another tenant or out of the owner’s view is INVALID_ARGUMENT; a foreign or hidden one is answered as an unknown one.',
  place: 'createDocument: type_id',
  decisions: ['D-16', 'D-17'],
  needs: together(need.template, need.uploads, {
    keys: ['restricted_owner'],
    fixtures: ['document_type_archived_id', 'document_type_other_tenant_id', 'document_type_hidden_from_restricted_id'],
    operations: ['createDocument', 'listDocuments'],
  }),
  check: async (t) => {
    const title = titleOf(t);
    const full = t.as('full', { spread: true });
    // From an upload, so that no template conflicts with the type.
    const id = await uploaded(t, full);
    const typed = (type_id: string) => create(t, full, uploadBody(t, id, { title, type_id }));
    const unknown = (await typed(UNKNOWN_ID)).blames('type_id', 'an unknown type');
    mustLookTheSame(t, await typed(t.fixture('document_type_other_tenant_id')), unknown, 'a type of another tenant');
    (await typed(t.fixture('document_type_archived_id'))).blames('type_id', 'an archived type');
    for (const odd of ['x', '', `${UNKNOWN_ID}0`]) (await typed(odd)).blames('type_id', odd);
    (await creating(t, { title, type_id: UNKNOWN_ID })).blames('type_id', 'an unknown type beside a template');
    const restricted = t.as('restricted_owner');
    const theirs = await uploaded(t, restricted);
    const asked = (type_id: string) => create(t, restricted, uploadBody(t, theirs, { title, type_id }));
    const hidden = await asked(t.fixture('document_type_hidden_from_restricted_id'));
    mustLookTheSame(t, hidden, await asked(UNKNOWN_ID), 'a type out of view');
    (await asked(t.fixture('document_type_id'))).ok('createDocument', 'the same upload with a type in view');
    t.equal((await found(full, title)).length, 1, 'documents that were made');
  },
});

const oddDates = [
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '0000-00-00',
  '02.03.2026',
  '2026-3-2',
  '26-03-02',
  ' 2026-03-02',
  '2026-03-02 ',
  '2026-03-02T00:00:00Z',
  '20260302',
  '2026-03-02Z',
  'today',
  '٢٠٢٦-٠٣-٠٢',
  '2023-02-29',
];

rule({
  id: 'DOC-14',
  level: 'MUST',
  text: 'A document’s date that is not a day of the calendar in the form YYYY-MM-DD is INVALID_ARGUMENT.',
  place: 'createDocument: date',
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const title = titleOf(t);
    for (const date of oddDates) (await creating(t, { title, date })).blames('date', `the date '${date}'`);
    await nothingMade(t, title);
  },
});

rule({
  id: 'DOC-15',
  level: 'MUST',
  text: 'A field of a creation with another JSON type is INVALID_ARGUMENT naming it.',
  place: 'CreateDocumentRequest',
  decisions: ['D-6a'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const title = titleOf(t);
    const kinds: unknown[] = [1, true, [], {}, 'x', 1.5];
    const right: Record<string, (value: unknown) => boolean> = {
      title: (value) => typeof value === 'string',
      type_id: () => false,
      date: () => false,
      number: (value) => typeof value === 'string',
      organization_id: () => false,
      subject_employee_ids: (value) => Array.isArray(value),
      template_id: () => false,
      template_version: (value) => value === 1,
      template_values: (value) => typeof value === 'object' && !Array.isArray(value),
      file_id: () => false,
    };
    for (const [name, fits] of Object.entries(right)) {
      for (const value of kinds.filter((one) => !fits(one))) {
        const answer = await creating(t, { title, [name]: value });
        // Beside the template, file_id of any form is already a second source.
        if (name === 'file_id') answer.fails('INVALID_ARGUMENT', `file_id ${JSON.stringify(value)}`);
        else answer.blames(name, `${name} ${JSON.stringify(value)}`);
      }
    }
    for (const entry of [1, null, {}, [], 'x']) {
      (await creating(t, { title, subject_employee_ids: [entry] })).blames(
        'subject_employee_ids[0]',
        JSON.stringify(entry),
      );
    }
    await nothingMade(t, title);
  },
});

rule({
  id: 'DOC-16',
  level: 'MUST',
  text: 'An organisation that does not exist is treated as the target declares, and so is one of another tenant.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.template, {
    keys: ['other_tenant'],
    fixtures: ['employee_other_tenant_id'],
    operations: ['createDocument'],
  }),
  check: async (t) => {
    const unknown = await creating(t, { organization_id: UNKNOWN_ID });
    const { organization_id: theirs } = await t.as('other_tenant').employee(t.fixture('employee_other_tenant_id'));
    if (theirs === '') t.untested('no_such_data', 'the fixture employee_other_tenant_id has no organisation');
    // The id of another kind of thing is not an organisation either.
    for (const [what, id] of [
      ['a foreign organisation', theirs],
      ['an employee’s id', t.fixture('employee_other_tenant_id')],
    ] as const) {
      const answer = await creating(t, { organization_id: id });
      if (t.values.unknown_references === 'ignore') answer.ok('createDocument', what);
      else mustLookTheSame(t, answer, unknown, what, [id, UNKNOWN_ID]);
    }
    if (t.values.unknown_references === 'ignore') unknown.ok('createDocument', 'an unknown organisation');
    else unknown.blames('organization_id', 'an unknown organisation');
  },
});

rule({
  id: 'DOC-17',
  level: 'MUST',
  text: 'Subjects are existing employees within the owner’s view, each once, at most 1,000; a foreign, deleted, draft or hidden one answers as an unknown one.',
  place: 'createDocument: subject_employee_ids',
  decisions: ['D-17'],
  needs: together(need.template, {
    keys: ['restricted_owner'],
    fixtures: [
      'employee_other_tenant_id',
      'employee_deleted_id',
      'employee_draft_id',
      'employee_hidden_from_restricted_id',
    ],
    operations: ['createDocument'],
  }),
  check: async (t) => {
    const subjects = (...ids: string[]) => ({ subject_employee_ids: ids });
    const unknown = await creating(t, subjects(UNKNOWN_ID));
    if (t.values.unknown_references === 'reject') {
      unknown.blames('subject_employee_ids[0]', 'an unknown subject');
      for (const name of ['employee_other_tenant_id', 'employee_deleted_id', 'employee_draft_id'] as const) {
        const id = t.fixture(name);
        mustLookTheSame(t, await creating(t, subjects(id)), unknown, name, [id, UNKNOWN_ID]);
      }
      const hidden = t.fixture('employee_hidden_from_restricted_id');
      const reference = await creating(t, subjects(UNKNOWN_ID), 'restricted_owner');
      const answer = await creating(t, subjects(hidden), 'restricted_owner');
      mustLookTheSame(t, answer, reference, 'a subject out of view', [hidden, UNKNOWN_ID]);
      (await creating(t, subjects(hidden))).ok('createDocument', 'the same subject, in view');
    }
    const one = t.fixture('employee_hidden_from_restricted_id');
    (await creating(t, subjects(one, one))).blames('subject_employee_ids', 'the same subject twice');
    const inCapitals = await creating(t, subjects(one, one.toUpperCase()));
    inCapitals.blames('subject_employee_ids', 'the same subject twice, once in capitals');
    const many = Array.from({ length: 1001 }, (_, i) => `7f0c9a52-3d1e-4b67-9c84-${i.toString(16).padStart(12, '0')}`);
    (await creating(t, subjects(...many))).blames('subject_employee_ids', '1001 subjects');
  },
});

rule({
  id: 'DOC-18',
  level: 'MUST',
  text: 'Values that break the variable_schema are INVALID_ARGUMENT, each named as template_values.<id>.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    if (t.values.template_values_check === 'none') t.skip('the target declares that it does not check template_values');
    const title = titleOf(t);
    const schema = (await templateOf(t, t.fixture('document_template_id'))).variable_schema as Schema;
    const broken = brokenValues(schema);
    for (const { id, what, values } of broken) {
      (await creating(t, { title, template_values: values })).blames(`template_values.${id}`, `${id}: ${what}`);
    }
    if (schema.required.length > 0) {
      const all = schema.required.map((id) => `template_values.${id}`);
      (await creating(t, { title, template_values: {} })).blames(all, 'no values at all');
      (await creating(t, { title, template_values: undefined })).fails('INVALID_ARGUMENT', 'template_values left out');
    }
    await nothingMade(t, title);
  },
});

rule({
  id: 'DOC-19',
  level: 'MUST',
  text: 'A template_version that does not exist, or is no positive int32, is INVALID_ARGUMENT.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const { version } = await templateOf(t, t.fixture('document_template_id'));
    for (const template_version of [0, -1, 1.5, 2 ** 31, '1', 1e21]) {
      (await creating(t, { template_version })).blames('template_version', String(template_version));
    }
    for (const template_version of [version + 1, 2_147_483_647]) {
      const answer = await creating(t, { template_version });
      if (t.values.unknown_references === 'reject') answer.blames('template_version', String(template_version));
      else answer.ok('createDocument', String(template_version));
    }
  },
});

rule({
  id: 'DOC-20',
  level: 'MUST',
  text: 'A template that is unknown, foreign, archived or of another type is INVALID_ARGUMENT; a foreign one is answered as an unknown one.',
  place: 'createDocument: template_id',
  decisions: ['D-17'],
  needs: together(need.template, { fixtures: ['document_template_other_tenant_id'], operations: ['createDocument'] }),
  check: async (t) => {
    const unknown = (await creating(t, { template_id: UNKNOWN_ID })).blames('template_id', 'an unknown template');
    const foreign = await creating(t, { template_id: t.fixture('document_template_other_tenant_id') });
    mustLookTheSame(t, foreign, unknown, 'a template of another tenant');
    for (const template_id of ['x', `${UNKNOWN_ID}0`])
      (await creating(t, { template_id })).blames('template_id', template_id);
    const all = await t.as('full').walk('listDocumentTemplates', { limit: 1000 });
    const type_id = t.fixture('document_type_id');
    const other = all.find((row) => row.type_id !== type_id && row.status === t.spelling.catalogue_status.ACTIVE);
    if (other)
      (await creating(t, { template_id: other.id, template_values: {} })).blames('template_id', 'of another type');
    const archived = all.find(({ status }) => status === t.spelling.catalogue_status.ARCHIVED);
    if (archived) {
      const body = { type_id: archived.type_id, template_id: archived.id, template_values: {} };
      (await creating(t, body)).blames('template_id', 'an archived template');
    }
    if (!other || !archived) t.untested('no_such_data', 'no template of another type, or no archived one, is listed');
  },
});

rule({
  id: 'DOC-27',
  level: 'MUST',
  text: 'A creation with a type without allow_api is INVALID_ARGUMENT, and the upload stays free.',
  place: 'createDocument: type_id',
  decisions: ['D-17'],
  needs: together(need.uploads, {
    fixtures: ['document_type_id', 'document_type_no_api_id'],
    operations: ['createDocument'],
  }),
  check: async (t) => {
    const full = t.as('full');
    const id = await uploaded(t, full);
    const type_id = t.fixture('document_type_no_api_id');
    (await create(t, full, uploadBody(t, id, { type_id }))).blames('type_id', 'a type without allow_api');
    (await create(t, full, uploadBody(t, id))).ok('createDocument', 'the same upload with a type that has it');
  },
});

rule({
  id: 'DOC-28',
  level: 'MUST',
  text: 'A creation from an upload with a type without allow_upload is INVALID_ARGUMENT, and the upload stays free.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.uploads, {
    fixtures: ['document_type_id', 'document_type_no_upload_id'],
    operations: ['createDocument'],
  }),
  check: async (t) => {
    const full = t.as('full');
    const id = await uploaded(t, full);
    const type_id = t.fixture('document_type_no_upload_id');
    (await create(t, full, uploadBody(t, id, { type_id }))).fails('INVALID_ARGUMENT', 'a type without allow_upload');
    (await create(t, full, uploadBody(t, id))).ok('createDocument', 'the same upload with a type that takes it');
  },
});

rule({
  id: 'DOC-33',
  level: 'MUST',
  text: 'template_version or template_values beside file_id are INVALID_ARGUMENT, and the upload stays free.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.uploads, { operations: ['createDocument'], fixtures: ['document_type_id'] }),
  check: async (t) => {
    const full = t.as('full');
    const id = await uploaded(t, full);
    for (const more of [{ template_version: 1 }, { template_values: {} }, { template_values: { x: 1 } }]) {
      const [name = ''] = Object.keys(more);
      (await create(t, full, uploadBody(t, id, more))).blames(name, `${name} beside file_id`);
    }
    (await create(t, full, uploadBody(t, id))).ok('createDocument', 'the same upload without');
  },
});

rule({
  id: 'DOC-35',
  level: 'MUST',
  text: 'Names like __proto__, $where or a.b among template_values are unknown variables: INVALID_ARGUMENT.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    if (t.values.template_values_check === 'none') t.skip('the target declares that it does not check template_values');
    const schema = (await templateOf(t, t.fixture('document_template_id'))).variable_schema as Schema;
    const body = await templateBody(t);
    const names = [
      '__proto__',
      'constructor',
      'prototype',
      '$where',
      '$ref',
      'a.b',
      '',
      ' ',
      '0',
      'toString',
      'x'.repeat(300),
    ];
    for (const name of unique(names).filter((one) => !Object.hasOwn(schema.properties, one))) {
      const member = `"template_values":{${JSON.stringify(name)}:{"polluted":true},`;
      const raw = JSON.stringify(body).replace('"template_values":{', member).replace(',}', '}');
      await t.mayWrite();
      const answer = await t.as('full', { spread: true }).send({ method: 'POST', path: '/documents', raw });
      answer.blames('template_values', `the variable ${JSON.stringify(name.slice(0, 20))}`);
    }
    const [first = 'x'] = Object.keys(schema.properties);
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`v${i}`, i]));
    for (const values of [many, { [first]: Array(200_000).fill(0) }, { [first]: 'x'.repeat(900_000) }]) {
      (await creating(t, { template_values: values })).blames('template_values', 'very many or very long values');
    }
  },
});
