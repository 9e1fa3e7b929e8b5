import { observer } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import {
  create,
  downloadOf,
  draft,
  draftFromUpload,
  fetchFile,
  pdf,
  readDocument,
  stored,
  templateBody,
  templateOf,
  titleOf,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { eventsAbout, marker } from './shared/event-calls.ts';
import { need, together } from './shared/needs.ts';
import { textOfPdf } from './shared/pdf-text.ts';
import { type Schema, type Variable, valuesFor } from './shared/template-values.ts';
import { dayAt } from './shared/tenant-day.ts';

const MINUTE_MS = 60_000;

/** The target's time when it answered, or ours if the answer has no date. */
const targetTime = (date: string | undefined): number => (date === undefined ? Date.now() : Date.parse(date));

rule({
  id: 'DOC-1',
  level: 'MUST',
  text: 'A creation from a template answers with the new document, which is read back as it was answered.',
  place: 'createDocument',
  needs: together(need.template, { operations: ['createDocument', 'getDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const answer = await create(t, full, await templateBody(t));
    const { document } = answer.ok('createDocument');
    t.equal(Object.keys(answer.json as object), ['document'], 'fields of the answer', answer);
    t.equal(await readDocument(full, document.id), document, 'the document read back');
  },
});

rule({
  id: 'DOC-2',
  level: 'MUST',
  text: 'A new document is a DRAFT without a route, and completed_at is empty.',
  place: 'createDocument',
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const { status, route, completed_at } = await draft(t);
    const none = { id: '', active: false, status: t.spelling.route_status.UNSPECIFIED, steps: [] };
    t.equal(
      { status, route, completed_at },
      { status: t.spelling.document_status.DRAFT, route: none, completed_at: '' },
      'the draft',
    );
  },
});

rule({
  id: 'DOC-3',
  level: 'MUST',
  text: 'The initiator of a new document is the employee who owns the key.',
  place: 'createDocument',
  needs: together(need.template, { fixtures: ['owner_employee_id'], operations: ['createDocument'] }),
  check: async (t) => {
    t.equal((await draft(t)).initiator_employee_id, t.fixture('owner_employee_id'), 'the initiator');
  },
});

rule({
  id: 'DOC-4',
  level: 'MUST',
  text: 'An owner who is no employee gets DOCUMENT_INITIATOR_NOT_FOUND, but only for a request that is right in form.',
  place: 'createDocument, DOCUMENT_INITIATOR_NOT_FOUND',
  decisions: ['D-17'],
  needs: together(need.template, { keys: ['no_employee_owner'], operations: ['createDocument'] }),
  check: async (t) => {
    const body = await templateBody(t);
    const nobody = t.as('no_employee_owner');
    (await create(t, nobody, body)).fails('DOCUMENT_INITIATOR_NOT_FOUND', 'a right request');
    (await create(t, nobody, { ...body, title: 1 })).blames('title', 'a wrong title');
  },
});

rule({
  id: 'DOC-8',
  level: 'MUST',
  text: 'An upload that was never confirmed is FILE_INVALID_STATUS_TRANSITION.',
  place: 'createDocument',
  needs: together(need.uploads, { operations: ['createDocument'], fixtures: ['document_type_id'] }),
  check: async (t) => {
    const full = t.as('full');
    const { file } = await stored(t, full, pdf('DOC-8'));
    (await create(t, full, uploadBody(t, file.id))).fails('FILE_INVALID_STATUS_TRANSITION', 'stored, not confirmed');
  },
});

rule({
  id: 'DOC-11',
  level: 'MUST',
  text: 'An upload serves one document: a second creation with it is FILE_ALREADY_LINKED.',
  place: 'createDocument',
  needs: together(need.uploads, { operations: ['createDocument'], fixtures: ['document_type_id'] }),
  check: async (t) => {
    const full = t.as('full');
    const id = await uploaded(t, full);
    const first = (await create(t, full, uploadBody(t, id))).ok('createDocument').document;
    (await create(t, full, uploadBody(t, id))).fails('FILE_ALREADY_LINKED', 'a second document');
    t.equal(await readDocument(full, first.id), first, 'the first document afterwards');
  },
});

rule({
  id: 'DOC-12',
  level: 'MUST',
  text: 'The only file of a document from an upload is that upload, a PDF, and the download gives exactly its bytes.',
  place: 'createDocument, downloadDocument',
  needs: together(need.uploads, { operations: ['createDocument', 'downloadDocument'], fixtures: ['document_type_id'] }),
  check: async (t) => {
    const full = t.as('full');
    const bytes = pdf('DOC-12', 70_001);
    const id = await uploaded(t, full, bytes);
    const { document } = (await create(t, full, uploadBody(t, id))).ok('createDocument');
    t.equal(document.files, [{ file_id: id, file_type: t.spelling.file_type.PDF }], 'the files');
    const { file, url } = await downloadOf(full, document.id);
    t.equal(
      [file.file_id, file.content_type, file.size_bytes],
      [id, 'application/pdf', '70001'],
      'the file of the answer',
    );
    const got = await fetchFile(t, url);
    t.check(got.equals(bytes), `the download has ${got.length} bytes that are not the ${bytes.length} of the upload`);
  },
});

rule({
  id: 'DOC-21',
  level: 'MUST',
  text: 'A new document shows what was given: title, type, date, number, organisation, and subjects in their order.',
  place: 'createDocument',
  needs: together(need.template, {
    fixtures: ['organization_id', 'employee_id', 'employee_common_id'],
    operations: ['createDocument', 'getDocument'],
  }),
  check: async (t) => {
    const given = {
      title: titleOf(t, 'Бұйрық «Ё»'),
      type_id: t.fixture('document_type_id'),
      date: '2024-02-29',
      number: 'Ж-118/ә',
      organization_id: t.fixture('organization_id'),
      subject_employee_ids: [t.fixture('employee_id'), t.fixture('employee_common_id')].sort().reverse(),
    };
    const document = await draft(t, t.as('full'), given);
    const shown = Object.fromEntries(Object.keys(given).map((name) => [name, document[name as keyof typeof given]]));
    t.equal(shown, given, 'what was given');
  },
});

rule({
  id: 'DOC-22',
  level: 'MUST',
  text: 'The creation of a document emits no event.',
  place: 'createDocument',
  needs: together(need.template, need.endpoints, {
    callbacks: true,
    operations: ['createDocument'],
    fixtures: ['owner_employee_id'],
  }),
  check: async (t) => {
    const hook = await observer(t);
    const full = t.as('full');
    const [fromTemplate, upload] = [await draft(t, full), await draftFromUpload(t, full)];
    await marker(t, hook);
    for (const { id } of [fromTemplate, upload])
      t.equal(await eventsAbout(t, hook, id), {}, 'the events of a creation');
  },
});

rule({
  id: 'DOC-23',
  level: 'MUST',
  text: 'create_time and update_time of a new document are the time of its creation.',
  place: 'Document',
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const answer = await create(t, t.as('full'), await templateBody(t));
    const { create_time, update_time } = answer.ok('createDocument').document;
    t.equal(update_time, create_time, 'update_time', answer);
    const off = Math.abs(Date.parse(create_time) - targetTime(answer.header('date')));
    t.check(off < MINUTE_MS, `create_time is ${off} ms off the time of the answer`, answer);
  },
});

rule({
  id: 'DOC-24',
  level: 'MUST',
  text: 'Stored documents hold no placeholder, except for a route that was never set.',
  place: 'Document',
  decisions: ['D-1'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    await draft(t);
    const { rows, answer } = await t.as('full').list('listDocuments', { limit: 200 });
    for (const { id, status, files, route } of rows) {
      const unset = route.steps.length === 0;
      const values = [
        status,
        ...files.map(({ file_type }) => file_type),
        ...(unset ? [] : [route.status]),
        ...route.steps.flatMap(({ rule, status, step_type, participants }) => [
          rule,
          status,
          step_type,
          ...participants.map((slot) => slot.status),
        ]),
      ];
      const placeholder = values.find((value) => value.endsWith('_UNSPECIFIED'));
      t.check(placeholder === undefined, `the document ${id} holds ${placeholder}`, answer);
      t.check(
        !unset || route.status === t.spelling.route_status.UNSPECIFIED,
        `a route without steps is ${route.status}`,
        answer,
      );
      t.equal(
        route.active,
        route.status === t.spelling.route_status.ACTIVE,
        `active of a route that is ${route.status}`,
        answer,
      );
    }
  },
});

rule({
  id: 'DOC-25',
  level: 'MUST',
  text: 'A creation that is refused leaves the upload free for the next one.',
  place: 'createDocument',
  needs: together(need.uploads, { operations: ['createDocument'], fixtures: ['document_type_id'] }),
  check: async (t) => {
    const full = t.as('full');
    const id = await uploaded(t, full);
    for (const [name, value] of [
      ['title', ''],
      ['type_id', t.run.run_id],
      ['date', '2026-02-30'],
    ] as const)
      (await create(t, full, uploadBody(t, id, { [name]: value }))).blames(name);
    const ghost = '00000000-0000-4000-8000-000000000000';
    (await create(t, full, uploadBody(t, id, { type_id: ghost }))).blames('type_id', 'an unknown type');
    t.equal((await create(t, full, uploadBody(t, id))).ok('createDocument').document.files[0]?.file_id, id, 'the file');
  },
});

rule({
  id: 'DOC-26',
  level: 'MUST',
  text: 'Of creations at the same time with one upload exactly one wins; the others are FILE_ALREADY_LINKED.',
  place: 'createDocument',
  needs: together(need.uploads, { operations: ['createDocument'], fixtures: ['document_type_id'] }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const id = await uploaded(t, full);
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(t, full, uploadBody(t, id))));
    const won = answers.filter(({ status }) => status === 200);
    for (const answer of answers)
      if (answer.status !== 200) answer.fails('FILE_ALREADY_LINKED', 'a creation that lost');
    t.equal(won.length, 1, 'creations that succeeded', won[1] ?? answers[0]);
  },
});

rule({
  id: 'DOC-30',
  level: 'MUST',
  text: 'What a creation leaves out is filled in: the initiator’s organisation and department, today’s date, no number, no subjects.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.template, { fixtures: ['owner_employee_id'], operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const owner = await full.employee(t.fixture('owner_employee_id'));
    const answer = await create(t, full, await templateBody(t));
    const { organization_id, department_id, number, subject_employee_ids, date, create_time } =
      answer.ok('createDocument').document;
    t.equal(
      { organization_id, department_id, number, subject_employee_ids },
      {
        organization_id: owner.organization_id,
        department_id: owner.department_id,
        number: '',
        subject_employee_ids: [],
      },
      'what was filled in',
      answer,
    );
    // Midnight may fall between the choice of the date and the two times that the answer tells.
    const days = [create_time, targetTime(answer.header('date'))].map((at) => dayAt(t, at));
    t.check(days.includes(date), `the date is ${date}, but the tenant's day is ${days[0]}`, answer);
    const empty = { organization_id: '', date: '', number: '', subject_employee_ids: [] };
    const same = await draft(t, full, empty);
    t.equal([same.organization_id, same.date], [organization_id, date], 'what "" was filled in with');
  },
});

rule({
  id: 'DOC-34',
  level: 'MUST',
  text: 'A document from a template has a rendered PDF with pages as its first file, of the size that the answer says.',
  place: 'createDocument, downloadDocument',
  decisions: ['D-17', 'D-22'],
  needs: together(need.template, { operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const document = await draft(t, full);
    t.equal(
      document.files.map(({ file_type }) => file_type),
      [t.spelling.file_type.PDF],
      'the files',
    );
    const { file, url } = await downloadOf(full, document.id);
    t.equal(file.file_id, document.files[0]?.file_id, 'the downloaded file');
    isPdf(t, await fetchFile(t, url), file.size_bytes);
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
  id: 'DOC-36',
  level: 'MUST',
  text: 'Any text of letters that are printed is rendered, however long or odd, also without blanks.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
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
  level: 'MUST',
  text: 'A value in any script stands in the PDF as it was sent, or is INVALID_ARGUMENT of template_values.<id>, and its Idempotency-Key stays unused.',
  place: 'createDocument: template_values, downloadDocument',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const schema = (await templateOf(t, t.fixture('document_template_id'))).variable_schema as Schema;
    const mark = 'Qx7';
    const [id] = freeTexts(schema).find(([, { maxLength = 50 }]) => maxLength >= 20) ?? [];
    if (id === undefined) return t.untested('no_such_data', 'the template has no variable for free text');
    for (const name of names) {
      const body = await templateBody(t, { template_values: { ...valuesFor(schema), [id]: mark + name } });
      const key = `DOC-42-${t.run.run_id}-${names.indexOf(name)}`;
      const answer = await create(t, full, body, key);
      if (answer.status !== 200) {
        answer.blames(`template_values.${id}`, `a value with ${JSON.stringify(name)}`);
        (await create(t, full, await templateBody(t), key)).ok('createDocument', 'another body with its key');
        continue;
      }
      const { document } = answer.ok('createDocument');
      const text = textOfPdf(await fetchFile(t, (await downloadOf(full, document.id)).url));
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
  level: 'MUST',
  text: 'An earlier template_version is judged by its own variable_schema.',
  place: 'createDocument',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const latest = await templateOf(t, t.fixture('document_template_id'));
    if (latest.version === 1) t.untested('no_such_data', 'the template has one version only');
    let differing = 0;
    const path = `/document_templates/${latest.id}`;
    for (let version = 1; version < latest.version; version++) {
      const { document_template } = (await full.get(path, { version })).ok('getDocumentTemplate');
      const schema = document_template.variable_schema as Schema;
      const body = await templateBody(t, { template_version: version, template_values: valuesFor(schema) });
      (await create(t, full, body)).ok('createDocument', `version ${version} with its own variables`);
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
