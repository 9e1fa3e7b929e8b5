import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { logFileWriter } from './log-file.ts';

const folder = testFolder();
const read = (file: string) => readFileSync(file, 'utf8');

test('each start appends to the log, which only its owner can read', () => {
  const file = path.join(folder, 'server.log');
  logFileWriter(file)('first\n');
  logFileWriter(file)('second\n');
  expect([read(file), statSync(file).mode & 0o777]).toEqual(['first\nsecond\n', 0o600]);
});

test('two files of a bounded size are kept', () => {
  const file = path.join(folder, 'bounded', 'server.log');
  mkdirSync(path.dirname(file));
  const write = logFileWriter(file, 20);
  for (let n = 100; n < 108; n++) write(`line ${n}\n`);
  expect(readdirSync(path.dirname(file))).toEqual(['server.log', 'server.log.old']);
  expect([read(`${file}.old`), read(file)]).toEqual(['line 104\nline 105\n', 'line 106\nline 107\n']);
  write('a line that alone is longer than that\n');
  expect(read(`${file}.old`)).toBe('line 106\nline 107\n');
});

test('what cannot be written is lost, and later lines are written', () => {
  expect(() => logFileWriter('/dev/full')('lost\n')).not.toThrow();
  const file = path.join(folder, 'later', 'server.log');
  const write = logFileWriter(file);
  write('lost\n');
  mkdirSync(path.dirname(file));
  write('kept\n');
  expect(read(file)).toBe('kept\n');
});
