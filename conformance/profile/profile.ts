/**
 * The profile: what the suite knows about the deployment under test. It is read, overridden by `CONF_…` variables and
 * checked completely before anything is sent. Each problem says where it is, what is wrong, and what to do.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { ProfileFile } from '../../generated/profile.ts';
import { EXIT, Failure, messageOf, withProblems } from '../../scripts/kit/command-line.ts';
import { keysAtHand, parseEnvFile } from './env-file.ts';
import { type KeyName, profileSchema } from './schema.ts';
import { ambiguousSpellings } from './spelling.ts';

/** A profile, with empty entries for what its file leaves out. */
export type Profile = ProfileFile &
  Required<Pick<ProfileFile, 'replicas' | 'fixtures' | 'admin' | 'clock' | 'callbacks' | 'capabilities'>>;

/** An addition to the contract that a target may claim, such as `1.5`. */
export type Capability = Profile['capabilities'][number];

/** How deliveries of events reach the suite. Once the profile is loaded, the paths are absolute. */
export type Callbacks = Profile['callbacks'];

/** A profile that was checked, with the secrets that its names refer to. */
export interface LoadedProfile {
  profile: Profile;
  /** Every variable that the profile names, with its value. */
  secrets: Record<string, string>;
}

/** The profile cannot be used; `problems` are sentences for the person who wrote it. */
export class BadProfile extends Failure {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(EXIT.usage, withProblems('The profile cannot be used:', problems));
    this.problems = problems;
  }
}

interface SchemaNode {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
}

const schema = profileSchema as SchemaNode;
/** Compiled when a profile is first read, which not every command does. */
let validate: ValidateFunction | undefined;

/** Scalars (and lists of scalars) of the schema, each with the variable that overrides it. */
function overridable(node: SchemaNode, path: string[] = []): { path: string[]; node: SchemaNode }[] {
  if (node.properties) {
    return Object.entries(node.properties).flatMap(([name, child]) => overridable(child, [...path, name]));
  }
  const isList = node.type === 'array' && node.items !== undefined && node.items.type === 'string';
  if (node.type === 'object' || (node.type === 'array' && !isList) || path[0] === 'admin') return [];
  return [{ path, node }];
}

function setAt(target: Record<string, unknown>, path: string[], value: unknown): void {
  let at = target;
  for (const name of path.slice(0, -1)) {
    const next = at[name];
    if (typeof next !== 'object' || next === null) at[name] = {};
    at = at[name] as Record<string, unknown>;
  }
  at[path[path.length - 1] ?? ''] = value;
}

function typed(text: string, node: SchemaNode): unknown {
  if (node.type === 'array') return text === '' ? [] : text.split(',').map((part) => part.trim());
  if ((node.type === 'integer' || node.type === 'number') && text.trim() !== '') return Number(text);
  if (node.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function sentence(error: ErrorObject): string {
  const place = error.instancePath === '' ? 'the profile' : error.instancePath.slice(1).replaceAll('/', '.');
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return `${place}: \`${params.missingProperty}\` is missing; add it (conformance/profile.example.yaml shows it).`;
    case 'additionalProperties':
      return `${place}: \`${params.additionalProperty}\` is not known; remove it or correct its spelling.`;
    case 'enum':
      return `${place}: must be one of ${JSON.stringify(params.allowedValues)}; choose one.`;
    case 'pattern':
      if (place.startsWith('keys.')) {
        return `${place}: is not the name of an environment variable; a key itself must not stand in a profile: put it into a variable and write the variable's name here.`;
      }
      return `${place}: does not have the right form (${params.pattern}); correct it.`;
    default:
      return `${place}: ${error.message}; correct it.`;
  }
}

/** What is wrong with values and fixtures that fit the schema. */
function wrongValues({ values, fixtures }: Profile): string[] {
  const problems: string[] = [];
  try {
    new RegExp(values.shown_prefix_pattern);
  } catch {
    problems.push('values.shown_prefix_pattern: is no regular expression; correct it.');
  }
  for (const [place, timeZone] of [
    ['values.time_zone', values.time_zone],
    ['fixtures.time_zone_other_tenant', fixtures.time_zone_other_tenant],
  ] as const) {
    try {
      new Intl.DateTimeFormat('en', { timeZone });
    } catch {
      problems.push(`${place}: is no time zone of the IANA database; give one, such as Asia/Almaty.`);
    }
  }
  return [...problems, ...ambiguousSpellings(values)];
}

/** Every key of the profile's ring: its name, with one of the variables that hold it. */
export const namedKeys = (keys: Profile['keys']): [name: KeyName, variable: string][] =>
  (Object.entries(keys) as [KeyName, string | string[]][]).flatMap(([name, variables]) =>
    [variables].flat().map((variable): [KeyName, string] => [name, variable]),
  );

/**
 * Checks a parsed profile.
 * @param raw what the YAML holds; not changed
 * @param env variables for overrides and keys
 * @param readEnvFile gives the text of `env_file`, or throws
 * @throws BadProfile with every problem found
 */
export function checkProfile(
  raw: unknown,
  env: Readonly<Record<string, string | undefined>>,
  readEnvFile: (path: string) => string,
): LoadedProfile {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new BadProfile(['the profile: is not a YAML mapping; start from conformance/profile.example.yaml.']);
  }
  const merged = structuredClone(raw) as Record<string, unknown>;
  for (const { path, node } of overridable(schema)) {
    const text = env[`CONF_${path.join('_').toUpperCase()}`];
    if (text !== undefined) setAt(merged, path, typed(text, node));
  }
  validate ??= new Ajv2020({ allErrors: true, strict: false }).compile(schema);
  if (!validate(merged)) {
    const errors = (validate.errors ?? []).filter((error) => error.keyword !== 'if');
    throw new BadProfile([...new Set(errors.map(sentence))]);
  }
  const profile = {
    replicas: [],
    fixtures: {},
    admin: {},
    clock: { mode: 'none' },
    callbacks: { mode: 'none' },
    capabilities: [],
    ...merged,
  } as unknown as Profile;
  const problems: string[] = [];
  let fromFile: Record<string, string> = {};
  if (profile.env_file !== undefined) {
    try {
      fromFile = parseEnvFile(readEnvFile(profile.env_file));
    } catch {
      problems.push(`env_file: ${profile.env_file} cannot be read; create it beside the profile or remove the line.`);
    }
  }
  profile.keys = keysAtHand(profile.keys, env, fromFile);
  // A tenant without keys at hand is none of the pool.
  profile.pool = (profile.pool ?? [])
    .map((tenant) => ({ ...tenant, keys: keysAtHand(tenant.keys, env, fromFile) }))
    .filter(({ keys }) => keys.full.length > 0);
  if (profile.keys.full.length === 0)
    problems.push('keys.full: its variables are empty in the env_file; at least one key of `full` is needed.');
  const secrets: Record<string, string> = {};
  for (const [, name] of [profile.keys, ...profile.pool.map(({ keys }) => keys)].flatMap(namedKeys)) {
    const value = env[name] ?? fromFile[name];
    if (value === undefined || value === '') {
      problems.push(`keys: the variable ${name} is not set; set it, or add it to the env_file, or remove the key.`);
    } else if (!/^[\x21-\x7e]+$/.test(value)) {
      problems.push(`keys: the variable ${name} holds a blank or a character outside ASCII; it is no key.`);
    } else secrets[name] = value;
  }
  problems.push(...wrongValues(profile));
  if (problems.length > 0) throw new BadProfile(problems);
  return { profile, secrets };
}

/**
 * Reads and checks a profile file. A relative `admin.cwd`, and the files of `callbacks`, become absolute.
 * @throws BadProfile
 */
export function loadProfile(file: string): LoadedProfile {
  let raw: unknown;
  try {
    raw = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = messageOf(error).split('\n')[0];
    throw new BadProfile([`${file}: cannot be read as YAML (${why}); give the path of a profile with --profile.`]);
  }
  const base = dirname(resolve(file));
  const loaded = checkProfile(raw, process.env, (path) => readFileSync(resolve(base, path), 'utf8'));
  loaded.profile.admin.cwd = resolve(base, loaded.profile.admin.cwd ?? '.');
  const { callbacks } = loaded.profile;
  for (const name of ['certificate', 'key'] as const) {
    if (callbacks[name] !== undefined) callbacks[name] = resolve(base, callbacks[name]);
  }
  return loaded;
}

/** Checks a profile whose keys have not been filled in yet. @throws BadProfile */
export function checkWithoutKeys(profile: Profile): void {
  checkProfile(profile, Object.fromEntries(namedKeys(profile.keys).map(([, name]) => [name, 'dev_x'])), () => '');
}
