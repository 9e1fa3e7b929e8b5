/** Reads the results.json of an earlier run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageOf, misuse } from '../../scripts/kit/command-line.ts';
import type { Results } from './results.ts';

/** The message is for the person who named the file. */
const unreadable = (file: string, why: string): never => misuse(`${file} holds no results of a run: ${why}`);

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../results.schema.json'), 'utf8')) as object;

/** @throws Failure */
export function readResults(file: string): Results {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return unreadable(file, messageOf(error));
  }
  const validate = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(schema);
  if (validate(raw)) return raw as Results;
  const [first] = validate.errors ?? [];
  return unreadable(file, `${first?.instancePath || 'the file'} ${first?.message} (conformance/results.schema.json)`);
}
