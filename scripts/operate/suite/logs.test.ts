import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { main } from './logs.ts';

const folder = testFolder();
const [first, second] = [path.join(folder, 'server.log'), path.join(folder, 'server-2.log')] as const;
const line = (minute: number, what: string) => `{"time":"2026-05-04T10:0${minute}:00.000Z","what":"${what}"}\n`;

afterEach(() => void jest.restoreAllMocks());

test('the lines of all processes since a moment are printed, with those that have no time', async () => {
  writeFileSync(`${first}.old`, `${line(1, 'old')}old trace\n${line(2, 'rotated')}`);
  writeFileSync(first, `${line(3, 'new')}a trace\n`);
  writeFileSync(second, line(2, 'other'));
  let said = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  expect(await main(['--since', '2026-05-04T10:02:00Z', first, second])).toBe(0);
  expect(said).toBe(`${line(2, 'rotated')}${line(3, 'new')}a trace\n${line(2, 'other')}`);
});

test('a log that is not there is reported', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => {});
  expect(await main([path.join(folder, 'nowhere.log')])).toBe(1);
  expect(said.mock.calls.join()).toContain('nowhere.log');
});
