import { expect, test } from '@jest/globals';
import { asArray, asObject, asString, readContract } from '../read.ts';
import { withTables } from './main.ts';
import { releasesPage } from './releases.ts';
import { inSections } from './sections.ts';

const contract = await readContract(new URL('../../../openapi.yaml', import.meta.url).pathname);
const ready = inSections(withTables(contract), { releases: releasesPage(contract) });
const tags = asArray(ready.tags).map(asObject);
const textOf = (name: string) => asString(tags.find((tag) => tag.name === name)?.description);

test('each decision and each section is a page, which the menu lists once', () => {
  const listed = asArray(ready['x-tagGroups']).flatMap((group) => asArray(asObject(group).tags));
  expect(tags.find(({ name }) => name === 'd-9')).toMatchObject({ 'x-displayName': 'D-9. Values of limit' });
  expect(new Set(listed).size).toBe(listed.length);
  expect(asString(asObject(ready.info).description)).not.toContain('## ');
});

test('decisions, errors and operations that a text names are links, and links lead to what exists', () => {
  const text = JSON.stringify(ready);
  const pages = new Set(tags.map(({ name }) => name));
  const links = [...text.matchAll(/\]\(#\/([a-z0-9_-]+)(#[a-z0-9-]+)?\)/g)];
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter(([, page]) => !pages.has(page ?? '')).map(([link]) => link)).toEqual([]);
  const anchors = links.flatMap(([, , anchor]) => (anchor === undefined ? [] : [anchor.slice(1)]));
  expect(anchors.filter((anchor) => !textOf('error-catalogue').includes(`id="${anchor}"`))).toEqual([]);
});
