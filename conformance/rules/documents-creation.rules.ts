import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { series, UNKNOWN_ID } from './shared/calls.ts';
import {
  confirmed,
  contentOf,
  create,
  created,
  creating,
  downloadOf,
  draft,
  fetchFile,
  found,
  pdf,
  reserve,
  store,
  templateBody,
  templateOf,
  titleOf,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { textOfPdf } from './shared/pdf-text.ts';
import { mustLookTheSame } from './shared/same-answer.ts';
import { brokenValues, outermostValues, type Schema, type Variable, valuesFor } from './shared/template-values.ts';
import { dayAt } from './shared/tenant-day.ts';
import { type UsableTemplate, usableTemplates } from './shared/usable-templates.ts';

const rule = rulesWith({ place: 'createDocument', decisions: ['D-17'] });

const MINUTE_MS = 60_000;

/** The target's time when it answered, or ours if the answer has no date. */
const targetTime = (date: string | undefined): number => (date === undefined ? Date.now() : Date.parse(date));

rule({
  id: 'DOC-4',
  text: 'An owner who is no employee, or whose employee is terminated, gets DOCUMENT_INITIATOR_NOT_FOUND, but only for a request that is right in form.',
  place: 'createDocument, DOCUMENT_INITIATOR_NOT_FOUND',
  check: async (t) => {
    const body = await templateBody(t);
    for (const name of ['no_employee_owner', 'terminated_owner'] as const) {
      (await create(t, t.as(name), body)).fails('DOCUMENT_INITIATOR_NOT_FOUND', `a right request of ${name}`);
      (await create(t, t.as(name), { ...body, title: 1 })).blames('title', `a wrong title of ${name}`);
    }
  },
});

rule({
  id: 'DOC-25',
  text: 'A creation from an upload that is not confirmed is FILE_INVALID_STATUS_TRANSITION; one that is refused leaves the upload free for the next one.',
  decisions: [],
  check: async (t, full) => {
    const bytes = pdf('DOC-25');
    const { file, upload } = await reserve(t, full, bytes.length);
    const { id } = file;
    (await create(t, full, uploadBody(t, id))).fails('FILE_INVALID_STATUS_TRANSITION', 'only reserved');
    await store(t, upload, bytes);
    (await create(t, full, uploadBody(t, id))).fails('FILE_INVALID_STATUS_TRANSITION', 'stored, not confirmed');
    await confirmed(t, full, id);
    for (const [name, value] of [
      ['title', ''],
      ['type_id', t.run_id],
      ['date', '2026-02-30'],
    ] as const)
      (await create(t, full, uploadBody(t, id, { [name]: value }))).blames(name);
    (await create(t, full, uploadBody(t, id, { type_id: UNKNOWN_ID }))).blames('type_id', 'an unknown type');
    t.equal((await created(t, full, uploadBody(t, id))).files[0]?.file_id, id, 'the file');
  },
});

rule({
  id: 'DOC-30',
  text: 'A new document is a DRAFT of the employee who owns the key, without a route and made now; what its creation leaves out is filled in: the initiator’s organisation and department, today’s date, no number, no subjects.',
  check: async (t, full) => {
    const owner = await full.employee(t.fixture('owner_employee_id'));
    const body = await templateBody(t);
    const answer = await create(t, full, body);
    const { id: _i, date, create_time, files: _f, ...rest } = answer.ok('createDocument').document;
    const expected = {
      title: body.title,
      type_id: body.type_id,
      number: '',
      organization_id: owner.organization_id,
      department_id: owner.department_id,
      initiator_employee_id: owner.id,
      subject_employee_ids: [],
      status: t.spelling.document_status.DRAFT,
      route: { id: '', active: false, status: t.spelling.route_status.UNSPECIFIED, steps: [] },
      update_time: create_time,
      completed_at: '',
    };
    t.equal(rest, expected, 'the new document', answer);
    const off = Math.abs(Date.parse(create_time) - targetTime(answer.header('date')));
    t.check(off < MINUTE_MS, `create_time is ${off} ms off the time of the answer`, answer);
    // Midnight may fall between the choice of the date and the two times that the answer tells.
    const days = [create_time, targetTime(answer.header('date'))].map((at) => dayAt(t, at));
    t.check(days.includes(date), `the date is ${date}, but the tenant's day is ${days[0]}`, answer);
  },
});

/**
 * A PDF that a reader can open: it has a head, an end, and pages, whether these are in plain or in compressed objects.
 */
function isPdf(t: TestContext, bytes: Buffer, size: string): void {
  t.equal(String(bytes.length), size, 'size_bytes and the bytes that came');
  const text = bytes.toString('latin1');
  t.check(text.startsWith('%PDF-'), 'the bytes do not begin with %PDF-');
  t.check(text.slice(-1024).includes('%%EOF'), 'the bytes do not end as a PDF does');
  t.check(/\/Type\s*\/(Page\b|ObjStm\b)/.test(text), 'the PDF has no page');
}

const long = (variable: Variable) => variable.maxLength ?? 2000;

/** The variables that take any text. */
const freeTexts = (schema: Schema) =>
  Object.entries(schema.properties).filter(
    ([, { type, format, enum: choices, const: only }]) =>
      type === 'string' && format === undefined && choices === undefined && only === undefined,
  );

/** Texts that a careless renderer handles wrongly. */
const texts: readonly ((variable: Variable) => string)[] = [
  (variable) => 'W'.repeat(Math.min(long(variable), 1000)),
  () => 'Ә ұ қ ғ ң ө һ і Ё',
  () => 'a\u0301\u0301\u0301\u200b\u00ad',
  () => 'a\tb\nc\r\nd\u2028e',
  () => '{{x}} $x %s \\n <b>&amp;</b> (]',
];

rule({
  id: 'DOC-34',
  text: 'The first file of a document from a template is a rendered PDF with pages, of the size that the answer says, whatever letters its values have, however long or odd.',
  place: 'createDocument, downloadDocument',
  check: async (t, full) => {
    const template = await templateOf(t, t.fixture('document_template_id'));
    const schema = template.variable_schema as Schema;
    const free = freeTexts(schema);
    if (free.length === 0) t.untested('no_such_data', 'the template has no variable for free text');
    for (const text of texts) {
      const odd = Object.fromEntries(
        free.map(([id, variable]) => [id, [...text(variable)].slice(0, long(variable)).join('')]),
      );
      const document = await draft(t, full, { template_values: { ...valuesFor(schema), ...odd } });
      const { file, url } = await downloadOf(full, document.id);
      const kinds = document.files.map(({ file_type }) => file_type);
      t.equal(kinds, [t.spelling.file_type.PDF], 'the files');
      t.equal(file.file_id, document.files[0]?.file_id, 'the downloaded file');
      isPdf(t, await fetchFile(t, url), file.size_bytes);
    }
  },
});

/** Names in scripts that fonts may lack, or that must be shaped to be read. */
const names = [
  '王小明',
  '김철수',
  'たなか',
  'محمد',
  'אברהם',
  'สมชาย',
  'नरेंद्र',
  '👩‍💼',
  '\ue000',
  'x\u20dd',
  'გიორგი',
  'Nguyễn',
  'é',
  'я\u0301',
];

/** Characters as they are compared: a PDF may have a letter in another form. */
const lettersOf = (text: string) => [...text.normalize('NFKD').replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '')];

rule({
  id: 'DOC-42',
  text: 'A title, number or value in any script stands in the PDF as it was sent, or each is INVALID_ARGUMENT, and its Idempotency-Key stays unused.',
  place: 'createDocument: title, number, template_values, downloadDocument',
  check: async (t) => {
    const full = t.asAny('full');
    const schema = (await templateOf(t, t.fixture('document_template_id'))).variable_schema as Schema;
    const mark = 'Qx7';
    const [id] = freeTexts(schema).find(([, { maxLength = 50 }]) => maxLength >= 20) ?? [];
    if (id === undefined) return t.untested('no_such_data', 'the template has no variable for free text');
    for (const name of names) {
      const template_values = { ...valuesFor(schema), [id]: mark + name };
      const body = await templateBody(t, { title: titleOf(t) + name, number: name, template_values });
      const key = `DOC-42-${t.run_id}-${names.indexOf(name)}`;
      const answer = await create(t, full, body, key);
      if (answer.status !== 200) {
        answer.blames(['title', 'number', `template_values.${id}`], `texts with ${JSON.stringify(name)}`);
        (await create(t, full, await templateBody(t), key)).ok('createDocument', 'another body with its key');
        continue;
      }
      const { document } = answer.ok('createDocument');
      const text = await textOfPdf(await contentOf(t, full, document.id));
      if (!text.includes(mark))
        t.untested('no_such_data', 'the PDF does not show the value, or its text cannot be read');
      const shown = new Set(lettersOf(text));
      const missing = lettersOf(name).filter((letter) => !shown.has(letter));
      t.check(missing.length === 0, `the PDF of a document with ${JSON.stringify(name)} does not show it`, answer);
    }
  },
});

rule({
  id: 'DOC-37',
  text: 'Each template_version is judged by its own variable_schema, as the template shows it: a creation takes its variables, and its required variables alone.',
  place: 'getDocumentTemplate, createDocument',
  check: async (t, full) => {
    // What other rules have read may be older.
    const path = `/document_templates/${t.fixture('document_template_id')}`;
    const latest = (await full.get(path)).ok('getDocumentTemplate').document_template;
    let differing = 0;
    for (let version = 1; version <= latest.version; version++) {
      const { document_template } = (await full.get(path, { version })).ok('getDocumentTemplate');
      const schema = document_template.variable_schema as Schema;
      const body = await templateBody(t, { template_version: version, template_values: valuesFor(schema) });
      for (const template_values of [body.template_values, valuesFor(schema, 'required')])
        (await create(t, full, { ...body, template_values })).ok(
          'createDocument',
          `version ${version} by its own schema`,
        );
      const later = Object.keys((latest.variable_schema as Schema).properties).find((id) => !(id in schema.properties));
      if (later === undefined || t.values.template_values_check === 'none') continue;
      differing++;
      const values = { ...valuesFor(latest.variable_schema as Schema), ...valuesFor(schema) };
      const wrong = await create(t, full, { ...body, template_values: values });
      wrong.blames(`template_values.${later}`, `version ${version} with a variable of a later one`);
    }
    if (differing === 0 && t.values.template_values_check === 'strict')
      t.untested('no_such_data', 'no version of the template has a variable that an earlier one lacks');
  },
});

/** No document with this title was created. */
async function nothingMade(t: TestContext, title: string): Promise<void> {
  t.equal(await found(t.as('full'), title), [], 'documents with the title of what was refused');
}

rule({
  id: 'DOC-5',
  text: 'A creation names exactly one of template_id and file_id, else it is INVALID_ARGUMENT and creates nothing; null and an empty text are treated as the target declares.',
  decisions: [],
  check: async (t, full) => {
    const title = titleOf(t);
    const id = await uploaded(t);
    const refused = [undefined, null, ''].flatMap((nothing) => [
      { template_id: nothing, file_id: nothing, template_values: undefined },
      { template_id: nothing },
    ]);
    const both = [UNKNOWN_ID, id].flatMap((file_id) => [{ file_id }, { file_id, template_values: undefined }]);
    for (const sources of [...refused, ...both])
      (await creating(t, { title, ...sources })).fails('INVALID_ARGUMENT', JSON.stringify(sources));
    await nothingMade(t, title);
    const other = await create(t, full, uploadBody(t, id, { template_id: null }));
    for (const answer of [await creating(t, { file_id: null }), await creating(t, { file_id: '' }), other]) {
      if (t.values.null_and_empty_sources === 'absent') answer.ok('createDocument', 'null or empty beside a source');
      else answer.fails('INVALID_ARGUMENT', 'null or empty beside a source');
    }
  },
});

rule({
  id: 'DOC-13',
  text: 'A document type that is unknown, archived, of another tenant or out of the owner’s view is INVALID_ARGUMENT; a foreign or hidden one is answered as an unknown one.',
  place: 'createDocument: type_id',
  decisions: ['D-16', 'D-17'],
  check: async (t, full) => {
    const title = titleOf(t);
    // From an upload, so that no template conflicts with the type.
    const id = await uploaded(t, full);
    const typed = (type_id: string) => create(t, full, uploadBody(t, id, { title, type_id }));
    const unknown = (await typed(UNKNOWN_ID)).blames('type_id', 'an unknown type');
    mustLookTheSame(t, await typed(t.fixture('document_type_other_tenant_id')), unknown, 'a type of another tenant');
    (await typed(t.fixture('document_type_archived_id'))).blames('type_id', 'an archived type');
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

rule({
  id: 'DOC-16',
  text: 'An organisation that does not exist is treated as the target declares, and so is one of another tenant.',
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
  text: 'Subjects are existing employees within the owner’s view; a foreign, deleted, draft or hidden one answers as an unknown one.',
  place: 'createDocument: subject_employee_ids',
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
  },
});

/** What the variables of a template take and refuse; nothing is created. */
async function judgeValues(t: TestContext, { id, type_id, schema }: UsableTemplate, title: string): Promise<void> {
  const given = (template_values: unknown) => creating(t, { title, type_id, template_id: id, template_values });
  for (const { wrong, values } of brokenValues(schema)) {
    const places = Object.keys(wrong).map((place) => `template_values.${place}`);
    (await given(values)).blames(places, `values of ${id}: ${JSON.stringify(wrong)}`);
  }
  for (const values of outermostValues(schema)) {
    const answer = await given({ ...values, no_such_variable: 'x' });
    answer.blames('template_values.no_such_variable', `a value of ${id} at its limit, beside an unknown one`);
  }
  if (schema.required.length > 0) (await given(undefined)).fails('INVALID_ARGUMENT', 'template_values left out');
}

/** Names that no variable has, some of which mean something to JavaScript or to a database. */
const ODD_NAMES = [...'__proto__|constructor|prototype|$where|$ref|a.b|| |0|toString'.split('|'), 'x'.repeat(300)];

rule({
  id: 'DOC-18',
  text: 'The values of each template are taken up to the limits of its variable_schema; those that break it at any depth, and those of unknown variables, are INVALID_ARGUMENT, each named as template_values.<id>.',
  decisions: ['D-16', 'D-17'],
  check: async (t) => {
    if (t.values.template_values_check === 'none') t.skip('the target declares that it does not check template_values');
    const title = titleOf(t);
    for (const template of await usableTemplates(t)) await judgeValues(t, template, title);
    await nothingMade(t, title);
    const schema = (await templateOf(t, t.fixture('document_template_id'))).variable_schema as Schema;
    const body = await templateBody(t);
    for (const name of ODD_NAMES.filter((one) => !Object.hasOwn(schema.properties, one))) {
      const member = `"template_values":{${JSON.stringify(name)}:{"polluted":true},`;
      const raw = JSON.stringify(body).replace('"template_values":{', member).replace(',}', '}');
      await t.mayWrite();
      const answer = await t.asAny('full').send({ method: 'POST', path: '/documents', raw });
      answer.blames('template_values', `the variable ${JSON.stringify(name.slice(0, 20))}`);
    }
    const [first = 'x'] = Object.keys(schema.properties);
    const many = Object.fromEntries(series(20_000, (i) => [`v${i}`, i]));
    for (const values of [many, { [first]: Array(200_000).fill(0) }, { [first]: 'x'.repeat(900_000) }]) {
      (await creating(t, { template_values: values })).blames('template_values', 'very many or very long values');
    }
  },
});

rule({
  id: 'DOC-20',
  text: 'A template or version that is unknown, and a template that is foreign, archived or of another type, are INVALID_ARGUMENT; a foreign one is answered as an unknown one.',
  place: 'createDocument: template_id, template_version',
  check: async (t, full) => {
    const { version } = await templateOf(t, t.fixture('document_template_id'));
    for (const template_version of [version + 1, 2_147_483_647]) {
      const answer = await creating(t, { template_version });
      if (t.values.unknown_references === 'reject') answer.blames('template_version', String(template_version));
      else answer.ok('createDocument', String(template_version));
    }
    const unknown = (await creating(t, { template_id: UNKNOWN_ID })).blames('template_id', 'an unknown template');
    const foreign = await creating(t, { template_id: t.fixture('document_template_other_tenant_id') });
    mustLookTheSame(t, foreign, unknown, 'a template of another tenant');
    const all = await full.walk('listDocumentTemplates');
    const { ACTIVE, ARCHIVED } = t.spelling.catalogue_status;
    const type_id = t.fixture('document_type_id');
    const other = all.find((row) => row.type_id !== type_id && row.status === ACTIVE);
    const archived = all.find(({ status }) => status === ARCHIVED);
    const wrong = [other && { ...other, type_id }, archived].filter((template) => template !== undefined);
    for (const { id, type_id: of, status } of wrong) {
      const body = { type_id: of, template_id: id, template_values: {} };
      (await creating(t, body)).blames('template_id', `a template that is ${status}`);
    }
    if (wrong.length < 2) t.untested('no_such_data', 'no template of another type, or no archived one, is listed');
  },
});

rule({
  id: 'DOC-27',
  text: 'A creation with a type without allow_api or allow_upload, or with what belongs to a template beside file_id, is INVALID_ARGUMENT, and the upload stays free.',
  place: 'createDocument: type_id, file_id',
  check: async (t, full) => {
    const [noApi, noUpload] = [t.fixture('document_type_no_api_id'), t.fixture('document_type_no_upload_id')];
    const wrong: [what: string, blamed: string | undefined, more: object][] = [
      ['a type without allow_api', 'type_id', { type_id: noApi }],
      ['a type without allow_upload', undefined, { type_id: noUpload }],
      ['a version beside file_id', 'template_version', { template_version: 1 }],
      ['no values beside file_id', 'template_values', { template_values: {} }],
      ['values beside file_id', 'template_values', { template_values: { x: 1 } }],
    ];
    for (const [what, blamed, more] of wrong) {
      const id = await uploaded(t, full);
      const answer = (await create(t, full, uploadBody(t, id, more))).fails('INVALID_ARGUMENT', what);
      if (blamed !== undefined) answer.blames(blamed, what);
      await created(t, full, uploadBody(t, id), `the upload after ${what}`);
    }
  },
});
