/** A commented profile for another deployment, made from the example. It holds names of variables, never a key. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { CONFORMANCE } from '../called-as.ts';
import { BadProfile, checkWithoutKeys, type Profile } from '../profile/profile.ts';
import { type Answers, noProfile } from './answers.ts';

const example = readFileSync(join(import.meta.dirname, '../profile.example.yaml'), 'utf8');
const shown = parse(example) as Profile;

/** Every key of the ring except `full`, in the order of the example. */
export const otherKeys: readonly string[] = Object.keys(shown.keys).filter((name) => name !== 'full');

/** Every admin command, with the placeholders in braces of its example. */
export const adminCommands: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(shown.admin)
    .filter(([name]) => name !== 'cwd')
    .map(([name, words]) => [name, (words as string[]).flatMap((word) => word.match(/\{\w+\}/g) ?? [])]),
);

/** The values of our own service for what the source leaves open. */
export const exampleValues: Readonly<Record<string, unknown>> = { ...shown.values };

/** How many disposable keys get a line in the env file; a whole run uses up one. */
const DISPOSABLE = 3;

const json = (value: unknown) => JSON.stringify(value);
const numbered = (name: string, count: number) =>
  `[${Array.from({ length: count }, (_, at) => `CONF_KEY_${name}_${at + 1}`).join(', ')}]`;
/** A mapping in one line, of the entries that have a value. */
const flow = (value: object) =>
  `{ ${Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${name}: ${json(one)}`)
    .join(', ')} }`;

/** Lines that replace those of the example. The comment at the end of an example's line stays. */
function filledLines(answers: Answers, cwd: string): Record<string, string> {
  const { out, env_file, clock, load_consent = '', max_writes = 5000, large_bodies = false } = answers;
  const fromProfile = (path: string | undefined) => (path ? relative(dirname(out), path) : undefined);
  const rows = (words: object, block: string) =>
    Object.fromEntries(Object.entries(words).map(([name, one]) => [`${block}/${name}`, json(one)]));
  const callbacks = {
    mode: answers.callbacks,
    listen: answers.callbacks_listen,
    url: answers.callbacks_url,
    command: answers.callbacks_command,
    certificate: fromProfile(answers.callbacks_certificate),
    key: fromProfile(answers.callbacks_key),
  };
  return {
    name: json(answers.name),
    base_url: json(answers.base_url),
    replicas: json(answers.replicas),
    env_file: json(fromProfile(env_file) || basename(env_file)),
    'tenant/tag': json(answers.tenant),
    'tenant/consent_to_large_bodies': json(large_bodies),
    ...(load_consent === '' ? {} : { 'tenant/load_consent': json(load_consent) }),
    'tenant/consent_to_writes': json(answers.writes),
    'tenant/max_writes': json(max_writes),
    'keys/full': numbered('FULL', answers.full_keys),
    'keys/disposable': numbered('DISPOSABLE', DISPOSABLE),
    ...rows({ cwd: fromProfile(cwd) || '.', ...Object.fromEntries(answers.admin) }, 'admin'),
    clock: flow(clock === '' ? { mode: 'none' } : { mode: 'control', url: clock }),
    callbacks: flow(callbacks),
    capabilities: json(answers.capabilities),
    ...rows(Object.fromEntries(answers.value), 'values'),
  };
}

const LINE = /^( *)(# )?([a-z_]+):(.*?)( +# .*)?$/;

/**
 * The profile as text: known values are filled in, unknown ones stay as comments.
 * @param cwd where the admin commands run
 * @throws Failure
 */
export function profileText(answers: Answers, cwd: string): string {
  const filled = filledLines(answers, cwd);
  const hasAdmin = answers.admin.length > 0;
  let block = '';
  const lines = example.split('\n').map((line) => {
    const [, indent, off, name = '', , comment = ''] = LINE.exec(line) ?? [];
    if (indent === '' && off === undefined && name !== '') block = name;
    // Of the example's commented-out lines, only load_consent may be filled in.
    if (name === '' || (off !== undefined && name !== 'load_consent')) return line;
    const value = filled[indent === '' ? name : `${block}/${name}`];
    if (indent === '') {
      if (value !== undefined) return `${name}: ${value}${comment}`;
      if (block === 'fixtures') return `fixtures: {} # ${CONFORMANCE} discover --profile THIS_FILE finds them`;
      return block === 'admin' && !hasAdmin ? 'admin: {} # take the braces away when you fill it in' : line;
    }
    const isMissing =
      (block === 'keys' && name !== 'full' && !answers.keys.includes(name)) ||
      block === 'fixtures' ||
      (block === 'admin' && (value === undefined || !hasAdmin));
    if (isMissing) return `  # ${line.trimStart()}`;
    if (value === undefined) return line;
    const own =
      block === 'values' && json(exampleValues[name]) !== value
        ? ` # given to init${comment.replace(' #', ';')}`
        : comment;
    return `  ${name}: ${value}${own}`;
  });
  const text = lines.join('\n').replace(/^# A profile tells[\s\S]*?(?=^profile_version)/m, preamble);
  try {
    checkWithoutKeys(parse(text) as Profile);
  } catch (error) {
    if (error instanceof BadProfile) noProfile(error.problems);
    throw error;
  }
  return text;
}

const preamble = `# Profile for the conformance suite and for load, written by ${CONFORMANCE} init.
# Lines that begin with # are not filled in: each makes rules UNTESTED, never green. docs/conformance.md explains it,
# conformance/profile.schema.json says what each key and fixture must be. Keys stand in the env file, never here.
`;
