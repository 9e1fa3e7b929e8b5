/** Reads the results.json of an earlier run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Results } from './results.ts';

/** The file holds no results. The message is for the person who named the file. */
export class BadResults extends Error {
  constructor(file: string, why: string) {
    super(`${file} holds no results of a run: ${why}`);
    this.name = 'BadResults';
  }
}

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../results.schema.json'), 'utf8')) as object;

/** @throws BadResults */
export function readResults(file: string): Results {
  let raw: unknown;
  try {
    raw = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new BadResults(file, error instanceof Error ? error.message : String(error));
  }
  const validate = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(schema);
  if (validate(raw)) return raw as Results;
  const [first] = validate.errors ?? [];
  throw new BadResults(
    file,
    `${first?.instancePath || 'the file'} ${first?.message} (conformance/results.schema.json)`,
  );
}
