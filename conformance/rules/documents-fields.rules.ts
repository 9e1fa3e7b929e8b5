import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rulesWith } from './rule.ts';
import { newKey } from './shared/calls.ts';
import {
  contentOf,
  create,
  draft,
  draftFromUpload,
  pdf,
  readDocument,
  templateBody,
  titleOf,
} from './shared/document-calls.ts';
import { textOfPdf } from './shared/pdf-text.ts';
import { documentOf } from './shared/replays.ts';
import { falsyIn, listsOf, numberIn, valuesFor } from './shared/template-values.ts';
import { usableTemplates } from './shared/usable-templates.ts';

const rule = rulesWith({ decisions: ['D-17'] });

/** Sends a creation from the template with changes, by any of the full keys. */
const creating = async (t: TestContext, change: object): Promise<Answer> =>
  create(t, t.asAny('full'), await templateBody(t, change));

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
  text: 'The PDF that is made from a template shows the date of its document as day, month and year, in this order and with dots between them.',
  place: 'createDocument, downloadDocument',
  check: async (t) => {
    const full = t.as('full');
    // A month and a day that can be exchanged, in a year that nothing else names.
    const { id } = await draft(t, full, { date: '2093-04-05' });
    const text = textOfPdf(await contentOf(t, full, id));
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
  check: async (t) => {
    const full = t.asAny('full');
    const body = await telling(t);
    if (body === undefined) t.untested('no_such_data', 'no template takes such a number');
    const { id } = (await create(t, full, body)).ok('createDocument').document;
    const text = textOfPdf(await contentOf(t, full, id));
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
  check: async (t) => {
    // An Idempotency-Key belongs to one key.
    const full = t.as('full');
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
const ENTRIES = Array.from({ length: 40 }, (_, n) => `Qz${n}Zq`);

rule({
  id: 'DOC-44',
  text: 'If the PDF of a template shows an entry of a list, it shows every entry, each once and in the order in which they were sent.',
  place: 'createDocument: template_values, downloadDocument',
  check: async (t) => {
    const full = t.asAny('full');
    let shown = 0;
    for (const { id, type_id, schema } of await usableTemplates(t)) {
      const template_values = listsOf(schema, ENTRIES);
      if (template_values === undefined) continue;
      const body = { title: titleOf(t), type_id, template_id: id, template_values };
      const { document } = (await create(t, full, body)).ok('createDocument', `lists of ${ENTRIES.length} entries`);
      const text = textOfPdf(await contentOf(t, full, document.id));
      const found = text.match(/Qz\d+Zq/g) ?? [];
      if (found.length === 0) continue;
      shown++;
      t.equal(found, ENTRIES, `the entries that the PDF of the template ${id} shows`);
    }
    if (shown === 0) t.untested('no_such_data', 'no PDF shows an entry of a list, or its text cannot be read');
  },
});
