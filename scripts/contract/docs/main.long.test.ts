import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { changed, fixture as contract, FIXTURE } from '../changed.ts';
import { errorPages, errorsTable } from './errors.ts';
import { buildDocs, decisionPages, decisionsTable, withTables } from './main.ts';
import { isFresh, markOfSources } from './sources.ts';

const folder = testFolder();

describe('the tables', () => {
  test('every error has a row with status, code and gRPC number, by status', () => {
    const rows = errorsTable(contract).split('\n').slice(2);
    expect(rows).toHaveLength(15);
    expect(rows[0]).toBe('| 400 | `INVALID_ARGUMENT` | The request is not valid | 3 |');
    expect(rows[1]).toBe('| 401 | `INTEGRATION.API_KEY_INVALID` | The key is not accepted | 16 |');
    expect(rows.at(-1)).toMatch(/^\| 503 \|/);
  });
  test('every error has a page that says when it occurs, what to do and who answers so', () => {
    const pages = errorPages(contract);
    expect(pages).toHaveLength(15);
    expect(pages[0]).toMatchObject({ name: 'error-invalid-argument', heading: 'INVALID_ARGUMENT' });
    expect(pages[0]?.text).toMatch(
      /^\*\*HTTP 400: The request is not valid\*\*\n\nThe request is not valid\.\n\n\*\*What to do\.\*\* Correct the cause and repeat the request\.\n\n\*Answered by:\* every operation\.\n\n```json\n\{\n {2}"code": 3,/,
    );
    const answered = (reason: string) =>
      /by:\* (.*)\./.exec(pages.find((page) => page.heading === reason)?.text ?? '')?.[1];
    expect(answered('EMPLOYEE_NOT_FOUND')).toBe('[getEmployee](#/employees/getemployee)');
    expect(answered('PATH_NOT_FOUND')).toBe('requests that reach no operation');
  });
  test('every decision is listed, and has a page that is linked to where it applies', () => {
    const table = decisionsTable(contract['x-decisions']);
    expect(table).toContain(
      '| [D-9](#/d-9) | Values of limit | <mark class="against">goes against</mark>, <mark class="beyond">goes beyond</mark> |',
    );
    expect(table).toContain('| Empty values | <mark class="gap">fills a gap</mark> |');
    const pages = decisionPages(contract);
    expect(pages.find(({ name }) => name === 'd-9')?.heading).toBe('D-9. Values of limit');
    const text = pages.map((page) => page.text).join();
    expect(text).toContain('| 5000 | 1000 |');
    expect(text).toContain(
      '- <mark class="against">goes against</mark> The source: A limit is at most 1000. Here: A larger one is served as 1000.\n',
    );
    expect(text).toContain('`Limit` ([getEmployee](#/employees/getemployee))');
    expect(text).toContain(
      '`DateOrEmpty` ([getEmployee](#/employees/getemployee), [createDocument](#/documents/createdocument))',
    );
    expect(text).toContain('The service as a whole.');
  });
  test('they replace their marks, and lists of decisions are written as text', () => {
    const ready = withTables(changed(contract, ['components schemas Person x-decision', ['D-2', 'D-9']]));
    expect(ready.info.description).not.toContain('<!--');
    expect(ready.info.description).toContain('`INTERNAL`');
    expect(ready.info.description).toContain('<tr id="statement-sandbox.none"');
    expect(ready.components.schemas.Person?.['x-decision']).toBe('D-2, D-9');
  });
  test('a missing mark is an error that says what to do', () => {
    expect(() => withTables(changed(contract, ['info description', 'Nothing.']))).toThrow(
      'info.description has no <!-- errors -->. Put it where the table belongs.',
    );
  });
});

describe('the page', () => {
  test('is one file that fetches nothing and contains operations, events, errors and decisions', async () => {
    const path = join(folder, 'deep', 'index.html');
    await buildDocs(FIXTURE, path);
    const html = await readFile(path, 'utf8');
    // Compared as booleans, so that a failure does not print three megabytes.
    expect(html.includes('cdn.redoc.ly')).toBe(false);
    expect(/<(?:script|link|img)[^>]+(?:src|href)="https?:/.test(html)).toBe(false);
    expect(/fonts\.(?:googleapis|gstatic)/.test(html)).toBe(false);
    const texts = [
      'getEmployee',
      'employee.changed',
      'INTEGRATION.API_KEY_INVALID',
      'D-32',
      'x-since',
      'must be 1 to 19 digits',
    ];
    expect(texts.filter((text) => !html.includes(text))).toEqual([]);
    expect(await isFresh(FIXTURE, path)).toBe(true);
  });
  test('is fresh until one of its sources changes', async () => {
    const [source, page] = [join(folder, 'source.yaml'), join(folder, 'page.html')];
    await writeFile(source, 'first');
    expect(await isFresh(source, page)).toBe(false);
    await writeFile(page, `<head>${await markOfSources(source)}</head>`);
    expect(await isFresh(source, page)).toBe(true);
    await writeFile(source, 'second');
    expect(await isFresh(source, page)).toBe(false);
  });
  test('a contract that does not exist is an error that says so', async () => {
    await expect(buildDocs(join(folder, 'none.yaml'), join(folder, 'x.html'))).rejects.toThrow(
      /There is no readable file/,
    );
  });
});
