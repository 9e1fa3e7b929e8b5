import type { TestContext } from '../engine/test-context.ts';
import type { Api } from '../http/api.ts';
import { rule } from './rule.ts';
import { type InputSchema, inputsOf } from './shared/contract-inputs.ts';
import {
  cast,
  create,
  type Document,
  done,
  readDocument,
  setRoute,
  signing,
  templateBody,
  templateOf,
  titleOf,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';

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
  const { document } = (await create(t, full.api, sent)).ok('createDocument', `${name} with ${source}`);
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
  const plain = (await create(t, full.api, await bodyFrom(t, source, full.api))).ok('createDocument').document;
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
