import type { TestContext } from '../engine/test-context.ts';
import type { Api } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import { newKey, series } from './shared/calls.ts';
import { type InputSchema, inputsOf } from './shared/contract-inputs.ts';
import {
  cast,
  contentOf,
  create,
  created,
  creating,
  type Document,
  documentOf,
  done,
  draft,
  draftFromUpload,
  pdf,
  readDocument,
  setRoute,
  signing,
  templateBody,
  templateOf,
  titleOf,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { textOfPdf } from './shared/pdf-text.ts';
import { falsyIn, listsOf, numberIn, valuesFor } from './shared/template-values.ts';
import { usableTemplates } from './shared/usable-templates.ts';

const rule = rulesWith({ decisions: ['D-17'] });

rule({
  id: 'DOC-32',
  text: 'A title or number is stored to the letter, whatever characters it has, up to its longest; a title that shows nothing is INVALID_ARGUMENT.',
  place: 'CreateDocumentRequest',
  check: async (t) => {
    const full = t.asAny('full');
    const mark = titleOf(t);
    const odd = [
      '<script>alert(1)</script>',
      '=cmd|x!A1',
      '👩‍💼',
      'caf\u00e9',
      'cafe\u0301',
      '{"$gt":""}',
      '%00 $x',
      '\u202eabc',
      '  x  ',
      'a\r\nb\tc',
      '\u200b\u00a0',
    ];
    for (const [i, text] of odd.entries()) {
      // A title that is printed must be printable, so these are titles of uploads.
      const { id } = await draftFromUpload(t, full, pdf('DOC-32'), { title: `${mark} ${i} ${text}`, number: text });
      const { title, number } = await readDocument(full, id);
      t.equal({ title, number }, { title: `${mark} ${i} ${text}`, number: text }, 'what was stored');
    }
    const longest = mark + 'Ә'.repeat(500 - [...mark].length);
    t.equal((await draft(t, full, { title: longest, number: 'ж'.repeat(100) })).title, longest, 'the longest title');
    (await creating(t, { title: ' \u200b\u00a0\u3164\u0301' })).blames('title', 'no visible character');
  },
});

rule({
  id: 'DOC-40',
  text: 'The PDF that is made from a template shows the date of its document as day, month and year, in this order and with dots between them; no other document, however alike, has the same PDF.',
  place: 'createDocument, downloadDocument',
  decisions: ['D-17', 'D-21'],
  check: async (t, full) => {
    // A month and a day that can be exchanged, in a year that nothing else names.
    const alike = { title: titleOf(t), date: '2093-04-05' };
    const [one, other] = [await draft(t, full, alike), await draft(t, full, alike)];
    const bytes = await contentOf(t, full, one.id);
    t.check(!bytes.equals(await contentOf(t, full, other.id)), 'two documents that are alike have the same PDF');
    const text = await textOfPdf(bytes);
    const shown = text.match(/\d\d\.\d\d\.2093/g);
    if (shown === null) t.untested('no_such_data', 'the PDF shows no such date, or its text cannot be read');
    t.equal([...new Set(shown)], ['05.04.2093'], 'the dates that the PDF of a document of 2093-04-05 shows');
  },
});

/** A number that shows a digit that is lost, rounded or grouped wrongly. */
const TELLING = 31_415.92653;

/** A creation whose template takes {@link TELLING}; undefined if the owner sees no such template. */
async function telling(t: TestContext): Promise<object | undefined> {
  for (const { id, type_id, schema } of await usableTemplates(t)) {
    const name = numberIn(schema, TELLING);
    if (name === undefined) continue;
    const template_values = { ...valuesFor(schema), [name]: TELLING };
    return { title: titleOf(t), type_id, template_id: id, template_values };
  }
  return undefined;
}

rule({
  id: 'DOC-41',
  text: 'The PDF that is made from a template shows a number with all the digits that were sent, whatever separates or groups them.',
  place: 'createDocument: template_values, downloadDocument',
  check: async (t, full) => {
    const body = await telling(t);
    if (body === undefined) t.untested('no_such_data', 'no template takes such a number');
    const { id } = await created(t, full, body);
    const text = await textOfPdf(await contentOf(t, full, id));
    const shown = text.match(/31[\s.,'’]?415[.,]?\d*/)?.[0];
    if (shown === undefined)
      return t.untested('no_such_data', 'the PDF does not show the number, or its text cannot be read');
    t.equal(shown.replace(/\D/g, ''), '3141592653', 'the digits that the PDF shows');
  },
});

/** How often a digit stands alone in a text. */
const countOf = (text: string, digit: number) =>
  [...text.matchAll(new RegExp(`(?<![\\w.,-])${digit}(?![\\w.,-])`, 'g'))].length;

rule({
  id: 'DOC-43',
  text: 'A value that is 0, false, an empty text or an empty list is a value like any other: it is taken where the variable_schema takes it, a number is printed, and a body without it is another body for the Idempotency-Key.',
  place: 'createDocument: template_values, Idempotency-Key, downloadDocument',
  check: async (t, full) => {
    let tried = 0;
    for (const { id, type_id, schema } of await usableTemplates(t)) {
      const falsy = falsyIn(schema);
      const names = Object.keys(falsy);
      if (names.length === 0) continue;
      const values = { ...valuesFor(schema), ...falsy };
      const body = { title: titleOf(t), type_id, template_id: id, template_values: values };
      const key = newKey(t);
      const made = documentOf(await create(t, full, body, key), `with ${JSON.stringify(falsy)}`);
      for (const name of names.filter((one) => !schema.required.includes(one))) {
        const { [name]: _, ...others } = values;
        const other = await create(t, full, { ...body, template_values: others }, key);
        other.fails('IDEMPOTENCY_KEY_CONFLICT', `${name} is absent, not ${JSON.stringify(falsy[name])}`);
        tried++;
      }
      const numbers = names.filter((name) => falsy[name] === 0);
      const ones = Object.fromEntries(numbers.map((name) => [name, 1]));
      const like = await create(t, full, { ...body, template_values: { ...values, ...ones } });
      const texts = [made, documentOf(like)].map(async (one) => textOfPdf(await contentOf(t, full, one.id)));
      const [zero = '', one = ''] = await Promise.all(texts);
      const printed = countOf(one, 1) - countOf(zero, 1);
      t.check(countOf(zero, 0) - countOf(one, 0) >= printed, `the PDF does not print 0 for ${numbers.join()}`);
    }
    if (tried === 0) t.untested('no_such_data', 'no template has a variable that may be absent, 0, false or empty');
  },
});

/** What the entries of lists are told by in a PDF; more than fit into one line. */
const ENTRIES = series(40, (n) => `Qz${n}Zq`);

rule({
  id: 'DOC-44',
  text: 'If the PDF of a template shows an entry of a list, it shows every entry, each once and in the order in which they were sent.',
  place: 'createDocument: template_values, downloadDocument',
  check: async (t, full) => {
    let shown = 0;
    for (const { id, type_id, schema } of await usableTemplates(t)) {
      const template_values = listsOf(schema, ENTRIES);
      if (template_values === undefined) continue;
      const body = { title: titleOf(t), type_id, template_id: id, template_values };
      const document = await created(t, full, body, `lists of ${ENTRIES.length} entries`);
      const text = await textOfPdf(await contentOf(t, full, document.id));
      const found = text.match(/Qz\d+Zq/g) ?? [];
      if (found.length === 0) continue;
      shown++;
      t.equal(found, ENTRIES, `the entries that the PDF of the template ${id} shows`);
    }
    if (shown === 0) t.untested('no_such_data', 'no PDF shows an entry of a list, or its text cannot be read');
  },
});

/** What a creation begins with. */
const SOURCES = ['template', 'upload'] as const;

type DocumentSource = (typeof SOURCES)[number];

const FIELDS = inputsOf('createDocument').fields.filter(({ path, name }) => path === name);

/** Fields without which a source is none, or that belong to the other source. */
const ofSource: Readonly<Record<DocumentSource, { needs: readonly string[]; refuses: readonly string[] }>> = {
  template: { needs: ['template_id', 'template_values'], refuses: ['file_id'] },
  upload: { needs: ['file_id'], refuses: ['template_id', 'template_version', 'template_values'] },
};

/** A body without any field that may be left out. */
const bodyFrom = async (t: TestContext, source: DocumentSource, api: Api): Promise<Record<string, unknown>> =>
  source === 'template' ? templateBody(t) : uploadBody(t, await uploaded(t, api));

/** A value of the field that no default is; undefined if the suite knows none. */
async function givenFor(t: TestContext, name: string): Promise<unknown> {
  switch (name) {
    case 'title':
      return titleOf(t, 'Бұйрық «Ё»');
    case 'type_id':
      return t.fixture('document_type_id');
    case 'date':
      return '2024-02-29';
    case 'number':
      return 'Ж-118/ә';
    case 'organization_id':
      return t.fixture('organization_id');
    case 'subject_employee_ids':
      return [t.fixture('employee_id'), t.fixture('employee_common_id')].sort().reverse();
    case 'template_version':
      return (await templateOf(t, t.fixture('document_template_id'))).version;
    default:
      return undefined;
  }
}

/** Values that count as absent, by what the contract says of the field. */
const absences = ({ isNullable, types, takesEmpty }: InputSchema): unknown[] => [
  ...(isNullable ? [null] : []),
  ...(takesEmpty || types.includes('string') ? [''] : types.includes('array') ? [[]] : []),
];

/** What a document shows of its creation, without what differs between any two. */
function shownOf({ id: _i, title: _t, create_time: _c, update_time: _u, files, ...rest }: Document): object {
  return { ...rest, files: files.map(({ file_type }) => file_type) };
}

/** The document as the creation, the single read, the list and the first move show it. */
async function everywhere(t: TestContext, document: Document): Promise<[where: string, shown: Document][]> {
  const { full } = cast(t);
  const { rows, answer } = await full.api.list('listDocuments', { search: document.title });
  const listed = t.present(
    rows.find(({ id }) => id === document.id),
    'the list lacks the new document',
    answer,
  );
  await setRoute(full.api, document.id, [signing(full)]);
  return [
    ['the creation', document],
    ['the single read', await readDocument(full.api, document.id)],
    ['the list', listed],
    ['the send', await done(full.api, document.id, '_send')],
  ];
}

/** A field that is given is shown as it was given, wherever a document is shown. */
async function isShown(t: TestContext, name: string, source: DocumentSource): Promise<void> {
  const { full } = cast(t);
  const given = await givenFor(t, name);
  const body = await bodyFrom(t, source, full.api);
  const sent = given === undefined ? body : { ...body, [name]: given };
  const document = await created(t, full.api, sent, `${name} with ${source}`);
  const id = name === 'file_id' ? String(body.file_id) : undefined;
  for (const [where, shown] of await everywhere(t, document)) {
    if (id !== undefined) t.equal(shown.files[0]?.file_id, id, `the file of ${where}`);
    else if (name in shown) t.equal(shown[name as keyof Document], sent[name], `${name} in ${where}`);
    const text = JSON.stringify(shown);
    t.check(name in shown || id !== undefined || !text.includes(`"${name}"`), `${where} shows ${name}`);
  }
}

/** A field that is null or empty counts as absent. */
async function countsAsAbsent(
  t: TestContext,
  name: string,
  schema: InputSchema,
  source: DocumentSource,
): Promise<void> {
  const { full } = cast(t);
  const plain = await created(t, full.api, await bodyFrom(t, source, full.api));
  for (const value of absences(schema)) {
    const body = { ...(await bodyFrom(t, source, full.api)), [name]: value };
    const answer = await create(t, full.api, body);
    const { document } = answer.ok('createDocument', `${name} ${JSON.stringify(value)} with ${source}`);
    t.equal(shownOf(document), shownOf(plain), `a document whose ${name} was ${JSON.stringify(value)}`, answer);
  }
}

for (const { name, required, schema } of FIELDS) {
  rule({
    id: `DOC-given.${name}`,
    family: 'field of a new document',
    text: `${name} of a creation is shown by every answer with the document, from either source, or by none if documents do not show it${required ? '' : '; null and empty count as absent'}.`,
    place: 'createDocument, CreateDocumentRequest',
    decisions: ['D-6a', 'D-17'],
    check: async (t) => {
      for (const source of SOURCES) {
        const { needs, refuses } = ofSource[source];
        if (!refuses.includes(name)) await isShown(t, name, source);
        if (!required && !needs.includes(name)) await countsAsAbsent(t, name, schema, source);
      }
    },
  });
}
