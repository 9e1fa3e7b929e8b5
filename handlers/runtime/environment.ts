/** Reads environment variables: secrets that are mounted as files, and names that only look like those of the server. */
import { readFileSync } from 'node:fs';
import { nearestName } from './nearest-name.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names the file of a secret. */
export const fileVariable = (secret: string) => `${secret}_FILE`;

/**
 * The value of a secret: that of the variable, or what is in the file that NAME_FILE names, without a line end at its end.
 * @returns undefined if neither is set @throws Error in words, never with what is in the file
 */
export function secretValue(environment: Environment, name: string): string | undefined {
  const variable = fileVariable(name);
  const file = environment[variable];
  if (!file) return environment[name] || undefined;
  if (environment[name]) throw new Error(`${name}, ${variable}: only one of them may be set`);
  const value = textOf(file, variable).replace(/\r?\n$/, '');
  if (value === '') throw new Error(`${variable}: the file ${file} is empty`);
  return value;
}

/**
 * The variables that are set, and of the others those that are not. An empty one counts as unset, and a secret is set in
 * either form: as it is, or as the name of its file.
 */
export function filledUp<Value extends string | undefined>(
  environment: Readonly<Record<string, Value>>,
  others: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const set = Object.entries(environment).filter(([, value]) => value);
  const forms = new Set(set.flatMap(([name]) => [name, fileVariable(name), name.replace(/_FILE$/, '')]));
  return Object.fromEntries([...Object.entries(others).filter(([name]) => !forms.has(name)), ...set]);
}

function textOf(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${variable}: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The value of another variable. An empty one counts as unset, and so does what {@link isServiceLink}. */
export function plainValue(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return !value || isServiceLink(name, value) ? undefined : value;
}

const OF_SERVICE = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const ADDRESS = /^(tcp|udp|sctp):\/\//;

/**
 * Whether Kubernetes gives the variable to every container beside a service of that name: for one called `storage`,
 * `STORAGE_SERVICE_HOST`, and `STORAGE_PORT` with `tcp://10.0.0.7:80`, which no port number is.
 */
function isServiceLink(name: string, value: string): boolean {
  return OF_SERVICE.test(name) || (name.endsWith('_PORT') && ADDRESS.test(value));
}

/**
 * How all names begin that look like this one: with its first word if other variables share it, else with its first two.
 * Undefined for a single word, such as PORT: everybody has names like it.
 */
function familyOf(name: string, names: readonly string[]): string | undefined {
  const [first, second] = name.split('_');
  if (second === undefined) return undefined;
  const isShared = names.filter((one) => one.startsWith(`${first}_`)).length > 1;
  return isShared ? `${first}_` : `${first}_${second}_`;
}

/** Of OpenTelemetry, whose SDK has more of them than the server reads. */
const STANDARD = /^OTEL_/i;

/** The most letters that a slip of the pen makes wrong: fewer than a quarter. With more, it is another name. */
const mostWrong = (name: string) => Math.min(3, Math.ceil(name.length / 4) - 1);

/**
 * The known name that this one was meant to be. A slip of the pen seldom hits the first letter, while another program's
 * names often differ only in the beginning: AWS_ACCESS_KEY_ID.
 */
function misspelled(name: string, known: readonly string[]): string | undefined {
  const alike = known.filter((one) => one.includes('_') && one[0] === name[0]?.toUpperCase());
  return nearestName(name, alike, mostWrong(name));
}

/** The names that share the most words with this one. */
function mostAlike(name: string, known: readonly string[]): string[] {
  const words = new Set(name.toUpperCase().split('_'));
  const shared = known.map((one) => one.split('_').filter((word) => words.has(word)).length);
  return known.filter((_, at) => shared[at] === Math.max(...shared));
}

/**
 * Finds variables that are set and look like those of the server, but are none: with the beginning of a family, or
 * nearly the name of a variable.
 * @param names the variables of the server @param secrets those among them that a file may hold
 * @returns for each of them the nearest variable of the server
 */
export function unknownVariables(
  environment: Environment,
  names: readonly string[],
  secrets: readonly string[],
): Map<string, string> {
  const known = [...names, ...secrets.map(fileVariable)];
  const families = new Set(names.flatMap((name) => familyOf(name, names) ?? []));
  const unknown = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    if (!value || known.includes(name) || isServiceLink(name, value)) continue;
    const isStandard = STANDARD.test(name);
    const family = isStandard ? undefined : [...families].find((beginning) => name.toUpperCase().startsWith(beginning));
    const nearest =
      family === undefined
        ? misspelled(name, known)
        : nearestName(name, mostAlike(name, known), Number.POSITIVE_INFINITY);
    if (nearest !== undefined) unknown.set(name, nearest);
  }
  return unknown;
}
