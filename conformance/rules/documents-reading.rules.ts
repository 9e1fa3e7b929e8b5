import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { draft, found, titleOf } from './shared/document-calls.ts';

/** Letters beside those of Russian: what is the same in lower case is found, what is only alike is not. */
async function findsInAnyAlphabet(t: TestContext): Promise<void> {
  const full = t.asAny('full');
  const title = titleOf(t);
  const { id } = await draft(t, full, { title: `${title} ΟΔΟΣΑ Straße ҚӘҢӨҰҮҺІ Été Z ъъъъ` });
  const right = ['οδοσα', 'οδος', 'οδοσ', 'ΟΔΟΣ', 'οδοςΑ'].map((greek) => `${title} ${greek}`);
  right.push('οδοσα STRAßE', 'straẞe қәңөұүһі', `қәңөұүһі E\u0301tE\u0301 z`, 'ЪЪЪ', 'z ЪЪЪЪ');
  for (const search of right) {
    t.check((await found(full, search)).includes(id), `search=${search} does not find the title`);
  }
  for (const search of [`${title} οδοςβ`, 'οδοσα strasse', 'straße каноуухи', 'қәңөұүһі ete z', 'ъъъъъ', 'z ъъъъъ']) {
    t.check(!(await found(full, search)).includes(id), `search=${search} finds the title`);
  }
}

rule({
  id: 'DREAD-6',
  text: 'search finds a literal part of the title, and of the number as the target declares, in any case and alphabet, and nothing else.',
  place: 'listDocuments: search',
  decisions: ['D-15'],
  check: async (t) => {
    const full = t.asAny('full');
    const run = t.run_id;
    const mark = titleOf(t, 'Ёлка ПРИКАЗ (a.b*c) %_$ café');
    const number = `№-${run}/Ж-118`;
    const { id } = await draft(t, full, { title: mark, number });
    const finds = async (search: string, whether: boolean) => {
      const ids = await found(full, search);
      t.equal(ids.includes(id), whether, `whether search=${search} finds ${mark}`);
    };
    const tail = mark.slice(mark.indexOf(run));
    const right = [
      mark,
      mark.toLowerCase(),
      mark.toUpperCase(),
      'приказ (A.B*C)',
      `%_$ cafe\u0301 ${tail}`,
      tail,
      'ёлка приказ',
    ];
    for (const search of right) await finds(search, true);
    for (const search of [
      'елка приказ',
      'ПРИКАЗ (a.bxc)',
      `^${tail}`,
      `.*${run}`,
      `${tail}x`,
      '(a.b*c)%',
      'ПРИКАЗ  (a',
      // A letter with an accent is another letter, wherever the search ends.
      '(a.b*c) %_$ cafe',
    ]) {
      await finds(search, false);
    }
    await findsInAnyAlphabet(t);
    const byNumber = t.values.document_search === 'title_and_number';
    for (const search of [number, number.toLowerCase(), `${run}/ж-1`]) await finds(search, byNumber);
    // A text must be part of one of them, not of both together.
    for (const between of ['', ' ']) await finds(tail + between + number, false);
  },
});
