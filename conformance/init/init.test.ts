/** `init`, from questions to files. */
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { Failure } from '../../scripts/kit/command-line.ts';
import { namedKeys, type Profile } from '../profile/profile.ts';
import { spellingOf } from '../profile/spelling.ts';
import type { Answers } from './answers.ts';
import { envText } from './env-text.ts';
import { otherKeys, profileText } from './profile-text.ts';
import { answersOf, type GivenOptions } from './questions.ts';
import { openValue } from './readers.ts';
import { openTerminal } from './terminal.ts';

const SECRET = 'dev_0123456789abcdefghijABCDEFGHIJ0123456789';
const anywhere = () => {};

const answers: Answers = {
  name: 'staging: "one"',
  base_url: 'https://api.example',
  replicas: ['https://two.example'],
  out: 'there/x.yaml',
  env_file: 'there/keys.env',
  tenant: 'qa # two',
  writes: false,
  large_bodies: true,
  load_consent: 'api.example',
  max_writes: 7,
  keys: ['load', 'disposable'],
  full_keys: 2,
  capabilities: ['1.5'],
  clock: 'http://127.0.0.1:9',
  callbacks: 'public',
  callbacks_listen: '0.0.0.0:8443',
  callbacks_url: 'https://hooks.example',
  admin: [['revoke_key', ['./settings.sh', 'revoke', '{prefix}']]],
  value: [
    ['limit_above_maximum', 'reject'],
    ['ingest_records', [1, 500]],
  ],
};
const textOf = (change: Partial<Answers> = {}) => profileText({ ...answers, ...change }, process.cwd());
const profileOf = (change?: Partial<Answers>) => parse(textOf(change)) as Profile;

describe('the text of a profile', () => {
  test('contains the given answers, and the rest as comments', () => {
    const text = textOf();
    expect(parse(text)).toMatchObject({
      name: answers.name,
      base_url: 'https://api.example',
      replicas: ['https://two.example'],
      env_file: 'keys.env',
      tenant: {
        tag: 'qa # two',
        consent_to_writes: false,
        consent_to_large_bodies: true,
        load_consent: 'api.example',
        max_writes: 7,
      },
      keys: { full: ['CONF_KEY_FULL_1', 'CONF_KEY_FULL_2'], load: 'CONF_KEY_LOAD' },
      fixtures: {},
      admin: { cwd: '..', revoke_key: ['./settings.sh', 'revoke', '{prefix}'] },
      clock: { mode: 'control', url: 'http://127.0.0.1:9' },
      callbacks: { mode: 'public', listen: '0.0.0.0:8443', url: 'https://hooks.example' },
      capabilities: ['1.5'],
      values: { limit_above_maximum: 'reject', ingest_records: [1, 500], empty_page_token: 'first_page' },
    });
    expect(Object.keys((parse(text) as Profile).keys)).toEqual(['full', 'disposable', 'load']);
    expect(text).toContain('  # employee_id: ');
    expect(text).toContain('  # flag_on: ');
    expect(text).toContain('limit_above_maximum: "reject" # given to init; D-9: clamp | reject');
  });

  test('has no entries for commands if none were given', () => {
    expect(profileOf({ admin: [] }).admin).toEqual({});
  });

  test('takes the target’s spelling of one value, and ours for the other values of its enumeration', () => {
    const [name, value] = openValue('spelling_file_upload_status={UPLOADED: UPLOADED}');
    const { values } = profileOf({ value: [[name, value]] });
    const { UPLOADED, RESERVED } = spellingOf(values).file_upload_status;
    expect([UPLOADED, RESERVED]).toEqual(['UPLOADED', 'FILE_UPLOAD_STATUS_RESERVED']);
    const unknown: Answers['value'] = [['spelling_file_upload_status', { SENT: 'SENT' }]];
    expect(() => textOf({ value: unknown })).toThrow(/spelling_file_upload_status: `SENT` is not known/);
    const ambiguous: Answers['value'] = [['spelling_step_rule', { ALL: 'STEP_RULE_ANY' }]];
    expect(() => textOf({ value: ambiguous })).toThrow(/two values are spelled STEP_RULE_ANY/);
  });

  test('refuses what a profile must not contain', () => {
    expect(() => textOf({ base_url: 'staging' })).toThrow(Failure);
    expect(() => textOf({ value: [['limit_above_maximum', 'perhaps']] })).toThrow(
      /values.limit_above_maximum: must be one of \["clamp","reject"\]/,
    );
  });
});

describe('the file for keys', () => {
  test('has an empty line for each variable, below a description of the key', () => {
    const { keys } = profileOf();
    const text = envText(keys);
    for (const [, name] of namedKeys(keys)) expect(text).toContain(`\n${name}=\n`);
    expect(text).toMatch(/# Equivalent keys of one owner who is an employee.*\nCONF_KEY_FULL_1=\nCONF_KEY_FULL_2=\n/);
  });
});

const enough: GivenOptions = { base_url: 'https://api.example', tenant: 'qa', writes: 'n' };
const byOptions = (given: GivenOptions) => answersOf({ ...enough, ...given }, undefined, anywhere);

describe('options alone', () => {
  test('use the most common value for what is not given', async () => {
    const common = await byOptions({
      base_url: 'http://127.0.0.1:8080/developer/v1/',
      out: 'there/x.yaml',
      admin: ['revoke_key="./a b" {prefix}'],
    });
    const profile = parse(profileText(common, process.cwd())) as Profile;
    expect(profile).toMatchObject({
      base_url: 'http://127.0.0.1:8080',
      name: '127.0.0.1:8080',
      env_file: 'x.env',
      callbacks: { mode: 'none' },
      capabilities: ['1.3', '1.4', '1.5', '1.6'],
      admin: { cwd: '..', revoke_key: ['./a b', '{prefix}'] },
    });
    expect(Object.keys(profile.keys)).toEqual(['full', ...otherKeys]);
    expect(profile.tenant).not.toHaveProperty('load_consent');
  });

  test.each<[GivenOptions, RegExp]>([
    [{ base_url: 'api.example' }, /--base-url: give http/],
    [{ base_url: 'https://api.example/other' }, /--base-url: give http/],
    [{ max_writes: '-1', writes: 'y' }, /--max-writes: give a whole number/],
    [{ capabilities: '1.9' }, /--capabilities: give some of 1.3/],
    [{ load_consent: 'api.exampl' }, /--load-consent: consent is given by the name of the host, api.example/],
    [{ load_consent: 'api.example', base_url: 'http://127.0.0.1:1' }, /--load-consent/],
    [{ callbacks: 'loopback', callbacks_certificate: '/nowhere.pem', callbacks_key: '/nowhere.pem' }, /no file/],
    [{ callbacks_url: 'https://hooks.example' }, /--callbacks-url: does not fit the other answers/],
    [{ admin: ['revoke_key=./settings.sh'] }, /revoke_key must say where \{prefix\} goes/],
    [{ admin: ['destroy=./x'] }, /--admin: give NAME=/],
    [{ value: ['colour=red'] }, /--value: give NAME=/],
    [{ keys: 'fool' }, /--keys: give all, none, or names/],
  ])('are checked: %j', async (wrong, message) => {
    await expect(byOptions(wrong)).rejects.toThrow(message);
  });

  test.each(['tenant', 'name', 'keys', 'value', 'admin', 'out'] as const)(
    'a key given as %s is neither taken nor repeated',
    async (name) => {
      const error = await byOptions({ [name]: name === 'admin' ? [SECRET] : SECRET }).catch((one: unknown) => one);
      expect(error).toBeInstanceOf(Failure);
      expect(String(error)).toContain('looks like a key');
      expect(String(error)).not.toContain(SECRET);
    },
  );
});

/**
 * Simulates a person at a terminal who answers each question; `null` presses Ctrl-C. A question without a reply gets an
 * empty line, and Ctrl-C if it comes again.
 */
async function dialogue(
  replies: Readonly<Record<string, string | null | readonly string[]>>,
  options: GivenOptions = {},
) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const queues = new Map(Object.entries(replies).map(([asked, reply]) => [asked, [reply].flat()]));
  let said = '';
  let seen = 0;
  output.on('data', (part: Buffer) => {
    said += part.toString('utf8');
    const last = said.slice(seen);
    if (!stripVTControlCharacters(last).endsWith(': ')) return;
    seen = said.length;
    const asked = [...queues.keys()].find((words) => last.includes(words)) ?? last;
    const queue = queues.get(asked) ?? [''];
    queues.set(asked, queue);
    const reply = queue.length > 0 ? queue.shift() : null;
    input.write(reply === null ? '\u0003' : `${reply}\r`);
  });
  const terminal = openTerminal(input, output);
  const mayWrite = (out: string) => {
    if (out === 'taken.yaml') throw new Error('taken.yaml exists');
  };
  const answers = await answersOf(options, terminal, mayWrite).catch((error: unknown) => error);
  terminal.close();
  expect(Object.keys(replies).filter((words) => !said.includes(words))).toEqual([]);
  return { answers, said };
}

const full = {
  'Base URL of the target': 'https://api.example',
  'Name of the tenant': 'qa',
  'May the suite write': 'y',
};

describe('a person', () => {
  test('is asked in order, and again after an invalid answer', async () => {
    const { answers, said } = await dialogue({
      ...full,
      'Base URL of the target': ['api.example', 'https://api.example/'],
      'Name of the tenant': ['', 'qa'],
      'May the suite write': ['perhaps', 'y'],
      'Maximum number of writes': ['many', '3000'],
      'send load to it': ['y', 'api.example'],
      'How do deliveries arrive': 'public',
      'https address at which': 'https://hooks.example',
      'as NAME=COMMAND': ['revoke_key=./x', 'revoke_key=./x {prefix}', ''],
      'as NAME=VALUE': ['empty_page_token=reject', ''],
      'File to write': ['taken.yaml', 'free.yaml'],
    });
    expect(answers).toMatchObject({
      base_url: 'https://api.example',
      name: 'api.example',
      tenant: 'qa',
      writes: true,
      max_writes: 3000,
      large_bodies: false,
      load_consent: 'api.example',
      callbacks: 'public',
      callbacks_listen: '0.0.0.0:8443',
      callbacks_url: 'https://hooks.example',
      admin: [['revoke_key', ['./x', '{prefix}']]],
      value: [['empty_page_token', 'reject']],
      out: 'free.yaml',
      env_file: 'free.env',
    });
    expect(said.match(/revoke_key=… \{prefix\}/g)).toHaveLength(1);
    for (const hint of ['give http://', 'answer something', 'answer y or n', 'whole number', '{prefix} goes', 'exists'])
      expect(said).toContain(hint);
  });

  test('is not asked what an option gives, nor what does not matter', async () => {
    const { said } = await dialogue({}, { ...enough, full_keys: '1' });
    expect(said).not.toMatch(/Base URL of the target|How many equivalent|Maximum number of writes/);
    expect(said).toContain('File to write');
  });

  test('aborts with Ctrl-C', async () => {
    const { answers } = await dialogue({ ...full, 'Maximum number of writes': null });
    expect(answers).toBeInstanceOf(Failure);
    expect(String(answers)).toContain('nothing was changed');
  });

  test('may paste several answers at once, and end the input', async () => {
    const pasted = (text: string) => {
      const input = Object.assign(new PassThrough(), { isTTY: false });
      const terminal = openTerminal(input, new PassThrough());
      input.end(`https://api.example\nstaging\nqa\n${text}`);
      return answersOf({}, terminal, anywhere);
    };
    await expect(pasted('')).rejects.toBeInstanceOf(Failure);
    const all = await pasted(`n\n${'\n'.repeat(20)}`);
    expect(all).toMatchObject({ name: 'staging', tenant: 'qa', writes: false });
  });
});
