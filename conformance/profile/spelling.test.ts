import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { answerFlaws } from '../judge/contract.ts';
import { asWeSpell, ourSpelling, spellingOf, wordOf } from './spelling.ts';
import type { Values } from './values.ts';

const here = join(import.meta.dirname, '..');
const text = (file: string) => readFileSync(join(here, file), 'utf8');

const upload = (status: string) => ({
  file: {
    id: 'da517b80-84f9-40c3-be5a-1706f2e4d31b',
    filename: 'a.pdf',
    content_type: 'application/pdf',
    size_bytes: '1',
    status,
    create_time: '2026-03-02T05:28:30.115Z',
  },
});

const own = { spelling_file_upload_status: { UPLOADED: 'UPLOADED' } };
const judged = (status: string, values: object) =>
  answerFlaws('confirmFile', upload(status), { added_fields: 'refused', ...values } as Values);

describe('the spelling of a target', () => {
  test('leads back to the words of an enumeration', () => {
    expect(wordOf(spellingOf(own).file_upload_status, 'UPLOADED')).toBe('UPLOADED');
    expect(wordOf(spellingOf({}).step_type, 'STEP_TYPE_SIGNING')).toBe('SIGNING');
    expect(wordOf(spellingOf({}).step_type, 'READING')).toBe('READING');
  });

  test('is ours unless the profile gives another, and the only one that answers are judged by', () => {
    expect(judged('FILE_UPLOAD_STATUS_UPLOADED', {})).toEqual([]);
    expect(judged('UPLOADED', {})).toHaveLength(1);
    expect(judged('UPLOADED', own)).toEqual([]);
    expect(judged('FILE_UPLOAD_STATUS_UPLOADED', own)).toHaveLength(1);
    expect(judged('FILE_UPLOAD_STATUS_EXPIRED', own)).toEqual([]);
  });

  test('may use the same text in several enumerations, and the answer stays unchanged', () => {
    const values = {
      spelling_document_status: { DRAFT: 'draft', COMPLETED: 'done' },
      spelling_route_status: { DRAFT: 'draft' },
      spelling_step_status: { COMPLETED: 'done' },
    };
    const answer = {
      document: {
        status: 'done',
        route: { status: 'draft', steps: [{ status: 'done' }, { status: 'STEP_STATUS_ACTIVE' }] },
      },
    };
    const before = structuredClone(answer);
    expect(asWeSpell('getDocument', answer, values)).toEqual({
      document: {
        status: 'DOCUMENT_STATUS_COMPLETED',
        route: {
          status: 'ROUTE_STATUS_DRAFT',
          steps: [{ status: 'STEP_STATUS_COMPLETED' }, { status: 'STEP_STATUS_ACTIVE' }],
        },
      },
    });
    expect(answer).toEqual(before);
    for (const odd of [null, 'x', [], { document: [] }, { document: { status: 7, route: null } }]) {
      expect(asWeSpell('getDocument', odd, values)).toEqual(odd);
    }
  });

  test('is given in full in the example, which the schema allows', () => {
    const { values } = parse(text('profile.example.yaml')) as { values: Record<string, object> };
    const shown = Object.fromEntries(Object.entries(values).filter(([name]) => name.startsWith('spelling_')));
    expect(shown).toEqual(ourSpelling);
  });
});

/**
 * These files name values of documents and errors of `_test` by words, which the spelling derives; a word may look like a
 * value of some enumeration. One names a label of PEM, which is the same for every target.
 */
const IN_WORDS = [
  'judge/universal-documents.ts',
  'rules/delivery.rules.ts',
  'rules/shared/cms.ts',
  'rules/shared/flow-model.ts',
  'rules/shared/flow-states.ts',
  'rules/shared/receiver-answers.ts',
];

describe('values that the source does not spell', () => {
  const open = Object.entries(ourSpelling).flatMap(([, words]) => Object.entries(words));
  const prefixes = new Set(
    open.filter(([word, value]) => word !== value).map(([word, value]) => value.slice(0, -word.length)),
  );
  const bare = new Set(open.filter(([word, value]) => word === value).map(([, value]) => value));
  const prefixed = new RegExp(`(?<![A-Za-z_])(?:${[...prefixes].join('|')})(?!UNSPECIFIED\\b)[A-Z$]`);
  const quoted = new RegExp(`(['"\`])(?:${[...bare].join('|')})\\1`);

  /** The lines where a text uses such a value directly. */
  function used(source: string, inWords: boolean): number[] {
    return source.split('\n').flatMap((line, at) => {
      return prefixed.test(line) || (!inWords && quoted.test(line)) ? [at + 1] : [];
    });
  }

  // Faults are planted in our own service, so they are written in our spelling; `processes/` knows no target.
  const files = globSync('**/*.ts', { cwd: here }).filter(
    (file) =>
      !file.endsWith('.test.ts') &&
      !/^(mutation|processes)\//.test(file) &&
      !file.endsWith('.faults.ts') &&
      file !== 'profile/spelling.ts',
  );
  const load = globSync('../load/*.ts', { cwd: here }).filter((file) => !file.endsWith('.test.ts'));

  test('come from the profile wherever the suite or load uses them', () => {
    expect(files.filter((file) => file.endsWith('.rules.ts')).length).toBeGreaterThan(40);
    expect(load.length).toBeGreaterThan(5);
    const wrong = [...files, ...load].flatMap((file) =>
      used(text(file), IN_WORDS.includes(file)).map((line) => `${file}:${line}`),
    );
    expect(wrong).toEqual([]);
  });

  test('are recognised in every form, and values that the source spells are not changed', () => {
    for (const line of [
      "status === 'DOCUMENT_STATUS_DRAFT'",
      'status: `DOCUMENT_STATUS_$'.concat('{word}`'),
      '"FILE_UPLOAD_STATUS_UPLOADED"',
      "key_type: 'EDS'",
      "status === 'ACTIVE'",
      "error: 'timeout'",
    ]) {
      expect([line, ...used(line, false)]).toEqual([line, 1]);
    }
    for (const line of [
      "'EMPLOYEE_STATUS_ACTIVE'",
      "'ROUTE_STATUS_UNSPECIFIED'",
      "'ACCEPTED'",
      "'document.sent'",
      't.spelling.document_status.DRAFT',
      "'PROFILE_TYPE_X'",
    ]) {
      expect([line, ...used(line, false)]).toEqual([line]);
    }
  });
});
