import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import {
  confirmed,
  contentOf,
  create,
  created,
  downloadOf,
  draft,
  fetchFile,
  pdf,
  reserve,
  store,
  templateBody,
  templateOf,
  uploadBody,
} from './shared/document-calls.ts';
import { textOfPdf } from './shared/pdf-text.ts';
import { type Schema, type Variable, valuesFor } from './shared/template-values.ts';
import { dayAt } from './shared/tenant-day.ts';

const MINUTE_MS = 60_000;

/** The target's time when it answered, or ours if the answer has no date. */
const targetTime = (date: string | undefined): number => (date === undefined ? Date.now() : Date.parse(date));

rule({
  id: 'DOC-4',
  text: 'An owner who is no employee, or whose employee is terminated, gets DOCUMENT_INITIATOR_NOT_FOUND, but only for a request that is right in form.',
  place: 'createDocument, DOCUMENT_INITIATOR_NOT_FOUND',
  decisions: ['D-17'],
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
  place: 'createDocument',
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
  place: 'createDocument',
  decisions: ['D-17'],
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
  decisions: ['D-17'],
  check: async (t) => {
    const full = t.asAny('full');
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
  text: 'A value in any script stands in the PDF as it was sent, or is INVALID_ARGUMENT of template_values.<id>, and its Idempotency-Key stays unused.',
  place: 'createDocument: template_values, downloadDocument',
  decisions: ['D-17'],
  check: async (t) => {
    const full = t.asAny('full');
    const schema = (await templateOf(t, t.fixture('document_template_id'))).variable_schema as Schema;
    const mark = 'Qx7';
    const [id] = freeTexts(schema).find(([, { maxLength = 50 }]) => maxLength >= 20) ?? [];
    if (id === undefined) return t.untested('no_such_data', 'the template has no variable for free text');
    for (const name of names) {
      const body = await templateBody(t, { template_values: { ...valuesFor(schema), [id]: mark + name } });
      const key = `DOC-42-${t.run_id}-${names.indexOf(name)}`;
      const answer = await create(t, full, body, key);
      if (answer.status !== 200) {
        answer.blames(`template_values.${id}`, `a value with ${JSON.stringify(name)}`);
        (await create(t, full, await templateBody(t), key)).ok('createDocument', 'another body with its key');
        continue;
      }
      const { document } = answer.ok('createDocument');
      const text = textOfPdf(await contentOf(t, full, document.id));
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
  decisions: ['D-17'],
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
