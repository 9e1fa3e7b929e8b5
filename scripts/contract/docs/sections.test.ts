import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { catalogueOf, readContract } from '../read.ts';
import { GUIDE, GUIDE_ADDRESS, guideText } from './guide.ts';
import { morePages, withTables } from './main.ts';
import { serverOf } from './samples.ts';
import { inSections, inWholeLines } from './sections.ts';

const contract = await readContract(new URL('../../../openapi.yaml', import.meta.url).pathname);
const ready = inSections(withTables(contract), morePages(contract));
const { tags = [], 'x-tagGroups': groups = [] } = ready;
const textOf = (name: string) => tags.find((tag) => tag.name === name)?.description ?? '';

test('each decision and each section is a page, which the menu lists once', () => {
  const listed = groups.flatMap((group) => group.tags);
  expect(tags.find(({ name }) => name === 'd-9')).toMatchObject({ 'x-displayName': 'D-9. Values of limit' });
  expect(new Set(listed).size).toBe(listed.length);
  expect(ready.info.description).not.toContain('## ');
});

test('decisions, errors and operations that a text names are links, and links lead to what exists', () => {
  const text = JSON.stringify(ready);
  const pages = new Set(tags.map(({ name }) => name));
  const links = [...text.matchAll(/\]\(#\/([a-z0-9_-]+)\)/g)];
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter(([, page]) => !pages.has(page ?? '')).map(([link]) => link)).toEqual([]);
});

test('an operation and an error that it answers with lead to each other', () => {
  const { get } = ready.paths['/developer/v1/documents/{document_id}'] ?? {};
  expect(get?.description).toMatch(/^\*Errors:\*.*\]\(#\/error-document-not-found\)/m);
  expect(textOf('error-document-not-found')).toContain('](#/documents/getdocument)');
});

test('the guide comes first, and names the server of the docs', () => {
  expect(groups[0]?.tags).toEqual(GUIDE.map((name) => `guide-${name}`));
  for (const name of GUIDE) {
    expect(textOf(`guide-${name}`)).toContain(serverOf(contract));
    expect(textOf(`guide-${name}`)).not.toContain(GUIDE_ADDRESS);
  }
});

test('each error has a page with what to do, and the guide names each', () => {
  const errors = catalogueOf(contract);
  const wrong = errors.filter(({ page, example }) => {
    const [remedy = ''] = example['x-remedy']?.split('\n') ?? [];
    return !textOf(page).includes(remedy);
  });
  expect(wrong).toEqual([]);
  const rows = [...guideText('errors').matchAll(/^\| .* \| (`[A-Z].*) \|$/gm)].map(([, cell]) => cell).join();
  const told = [...rows.matchAll(/`([A-Z_.]+)`/g)].map(([, reason]) => reason);
  expect(new Set(told)).toEqual(new Set(errors.map(({ reason }) => reason)));
});

test.each([
  ['lines of a paragraph', 'one\n`two`\n(three)', 'one `two` (three)'],
  ['an item of a list', '- one\n  two\n- three\n\n1. four\n   five', '- one two\n- three\n\n1. four five'],
  ['no table, heading or HTML', '# a\nb\n\n| c |\n|---|\n<p>', '# a\nb\n\n| c |\n|---|\n<p>'],
  ['no code', '```sh\na\nb\n```\nc\nd', '```sh\na\nb\n```\nc d'],
  ['nothing after a break', 'one  \ntwo', 'one  \ntwo'],
])('the search gets whole lines: %s', (_what, text, whole) => {
  expect(inWholeLines(text)).toBe(whole);
});

test('each page has a title of its own, and a place in it has that of the page', () => {
  const script = readFileSync(join(import.meta.dirname, 'page/access.js'), 'utf8');
  const observe = () => {};
  const surroundings = {
    MutationObserver: class {
      observe = observe;
    },
    document: {},
    addEventListener: () => {},
    ready: JSON.parse(JSON.stringify(ready)),
  };
  const titles = runInNewContext(
    `${script}\n[...headingsOf(ready)].map(([at]) => titleAt(at, headingsOf(ready), 'Docs'))`,
    surroundings,
  ) as string[];
  expect(titles.length).toBeGreaterThan(tags.length);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toContain('D-9. Values of limit · Docs');
  const at = (hash: string) =>
    runInNewContext(`${script}\ntitleAt(${JSON.stringify(hash)}, headingsOf(ready), 'Docs')`, surroundings);
  expect([at(''), at('#/nowhere'), at('#/d-9/some/place')]).toEqual(['Docs', 'Docs', 'D-9. Values of limit · Docs']);
});
