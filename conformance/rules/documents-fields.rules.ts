import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import {
  create,
  downloadOf,
  draft,
  draftFromUpload,
  fetchFile,
  found,
  pdf,
  readDocument,
  templateBody,
  templateOf,
  titleOf,
} from './shared/document-calls.ts';
import { need, together } from './shared/needs.ts';
import { textOfPdf } from './shared/pdf-text.ts';
import { numberIn, type Schema, valuesFor } from './shared/template-values.ts';

/** Sends a creation from the template with changes, by any of the full keys. */
const creating = async (t: TestContext, change: object): Promise<Answer> =>
  create(t, t.as('full', { spread: true }), await templateBody(t, change));

rule({
  id: 'DOC-29',
  level: 'MUST',
  text: 'title and type_id are required or not, as the target declares; a required one must not be empty.',
  place: 'CreateDocumentRequest',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument'] }),
  check: async (t) => {
    for (const name of ['title', 'type_id'] as const) {
      const answer = await creating(t, { [name]: undefined });
      if (t.values.document_required_fields.includes(name)) answer.blames(name, `without ${name}`);
      else answer.ok('createDocument', `without ${name}`);
      if (t.values.document_required_fields.includes(name))
        (await creating(t, { [name]: '' })).blames(name, `${name} ""`);
    }
  },
});

const ownFields = [
  'id',
  '_id',
  'status',
  'tenant_id',
  'initiator_employee_id',
  'department_id',
  'create_time',
  'update_time',
  'completed_at',
  'files',
  'route',
  'listed',
  'visible_to',
  'actors',
  'rev',
  '$set',
  '$where',
  'Title',
  'a.b',
  '',
];

rule({
  id: 'DOC-31',
  level: 'MUST',
  text: 'Fields that only the service decides, or that do not exist, are INVALID_ARGUMENT naming them and take no effect.',
  place: 'CreateDocumentRequest',
  decisions: ['D-6a'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const title = titleOf(t);
    for (const name of ownFields) {
      const answer = await creating(t, { title, [name]: UNKNOWN_ID });
      if (name === '') answer.fails('INVALID_ARGUMENT', 'a field without a name');
      else answer.blames(name, `the field ${name}`);
    }
    const raw = JSON.stringify(await templateBody(t, { title })).replace('{', '{"__proto__":{"status":"x"},');
    await t.mayWrite();
    const hidden = await t.as('full').send({ method: 'POST', path: '/documents', raw });
    hidden.fails('INVALID_ARGUMENT', 'the field __proto__');
    t.equal(await found(t.as('full'), title), [], 'documents with the title of what was refused');
  },
});

rule({
  id: 'DOC-32',
  level: 'MUST',
  text: 'A title or number is stored to the letter, whatever characters it has, up to its longest; one more, or a title that shows nothing, is INVALID_ARGUMENT.',
  place: 'CreateDocumentRequest',
  decisions: ['D-17'],
  needs: together(need.template, need.uploads, {
    fixtures: ['document_type_id'],
    operations: ['createDocument', 'getDocument'],
  }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
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
    (await creating(t, { title: `${longest}x` })).blames('title', '501 characters');
    (await creating(t, { title: ' \u200b\u00a0\u3164\u0301' })).blames('title', 'no visible character');
    (await creating(t, { number: 'x'.repeat(101) })).blames('number', '101 characters');
  },
});

rule({
  id: 'DOC-40',
  level: 'MUST',
  text: 'The PDF that is made from a template shows the date of its document as day, month and year, in this order and with dots between them.',
  place: 'createDocument, downloadDocument',
  decisions: ['D-17'],
  needs: together(need.template, { operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    // A month and a day that can be exchanged, in a year that nothing else names.
    const { id } = await draft(t, full, { date: '2093-04-05' });
    const text = textOfPdf(await fetchFile(t, (await downloadOf(full, id)).url));
    const shown = text.match(/\d\d\.\d\d\.2093/g);
    if (shown === null) t.untested('no_such_data', 'the PDF shows no such date, or its text cannot be read');
    t.equal([...new Set(shown)], ['05.04.2093'], 'the dates that the PDF of a document of 2093-04-05 shows');
  },
});

/** A number that shows a digit that is lost, rounded or grouped wrongly. */
const TELLING = 31_415.92653;

/** A creation whose template takes {@link TELLING}; undefined if the owner sees no such template. */
async function telling(t: TestContext): Promise<object | undefined> {
  const full = t.as('full', { spread: true });
  const types = await full.walk('listDocumentTypes', { limit: 1000 });
  const usable = new Set(types.filter(({ allow_api }) => allow_api).map(({ id }) => id));
  for (const { id, type_id, status } of await full.walk('listDocumentTemplates', { limit: 1000 })) {
    if (!usable.has(type_id) || status !== t.spelling.catalogue_status.ACTIVE) continue;
    const schema = (await templateOf(t, id, full)).variable_schema as Schema;
    const name = numberIn(schema, TELLING);
    if (name === undefined) continue;
    const template_values = { ...valuesFor(schema), [name]: TELLING };
    return { title: titleOf(t), type_id, template_id: id, template_values };
  }
  return undefined;
}

rule({
  id: 'DOC-41',
  level: 'MUST',
  text: 'The PDF that is made from a template shows a number with all the digits that were sent, whatever separates or groups them.',
  place: 'createDocument: template_values, downloadDocument',
  decisions: ['D-17'],
  needs: together(need.template, {
    operations: ['createDocument', 'downloadDocument', 'listDocumentTypes', 'listDocumentTemplates'],
  }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const body = await telling(t);
    if (body === undefined) t.untested('no_such_data', 'no template takes such a number');
    const { id } = (await create(t, full, body)).ok('createDocument').document;
    const text = textOfPdf(await fetchFile(t, (await downloadOf(full, id)).url));
    const shown = text.match(/31[\s.,'’]?415[.,]?\d*/)?.[0];
    if (shown === undefined)
      return t.untested('no_such_data', 'the PDF does not show the number, or its text cannot be read');
    t.equal(shown.replace(/\D/g, ''), '3141592653', 'the digits that the PDF shows');
  },
});
