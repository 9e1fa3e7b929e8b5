/** `npm run server -- check`: checks a deployment before its first start, or beside its processes, and changes nothing. */
import { parseArgs } from 'node:util';
import { readConfig } from '../runtime/config.ts';
import type { Environment } from '../runtime/environment.ts';
import { programVersion } from '../runtime/version.ts';
import { dnsLookup, type Lookup } from '../webhooks/outbound/resolve.ts';
import { bucketChecks } from './bucket.ts';
import { type CheckedBucket, checkedBucket } from './bucket-client.ts';
import { type CheckContext, type DeploymentCheck, findingsOf, Undoing } from './check.ts';
import { checkedDatabase } from './connection.ts';
import { databaseChecks } from './database.ts';
import { deploymentChecks } from './deployment.ts';
import { fileChecks } from './files.ts';
import type { CheckFinding } from './finding.ts';
import { portChecks } from './ports.ts';
import { programChecks } from './program.ts';
import { exitCodeOf, jsonOf, tableOf } from './report.ts';
import { signatureChecks } from './signatures.ts';
import { storeChecks } from './store.ts';
import { terminatorChecks } from './terminator.ts';
import { webhookChecks } from './webhooks.ts';

/** All checks, in the order in which they are shown. */
export const CHECKS: readonly DeploymentCheck[] = [
  ...programChecks,
  ...databaseChecks,
  ...storeChecks,
  ...bucketChecks,
  ...fileChecks,
  ...signatureChecks,
  ...webhookChecks,
  ...portChecks,
  ...terminatorChecks,
  ...deploymentChecks,
];

/** How long all checks may take, in milliseconds. */
const ALL_MS = 45_000;

const USAGE = `Checks a deployment: before its first start, or beside its running processes. It reads the same variables as they do, so
run it where they run, as their user. It changes nothing, and removes whatever it makes, also after Ctrl-C. It takes less
than a minute, whatever is away.

  --url URL           where clients reach the interface (https://api.example.com, without /developer/v1); without it, the
                      terminator is not checked
  --webhook-url URL   a receiver to which webhooks must find their way; a connection is opened and nothing is sent. By default
                      one on the Internet that is always there
  --env-file FILE     reads variables from NAME=value lines; those that are set already win
  --json              prints the findings as one JSON document
  --strict            a warning counts as a failure, and so does SLOW

Each line is OK, WARN (it works, but should not be left so), FAIL (something that is promised does not hold), SLOW (this
machine is too busy to tell) or SKIPPED, with what was found and, after an arrow, what to do.

${CHECKS.map(({ name, about }) => `  ${name.padEnd(24)} ${about}`).join('\n')}

Exit codes: 0 nothing fails, 1 something does, 2 wrong use or a configuration that cannot be read, 3 stopped before the end.`;

const EXIT = { usage: 2, stopped: 3 } as const;

/** What the program hands to the command. */
export interface CheckRun {
  readonly argv: readonly string[];
  /** The variables, with those of a file that are not set. @throws Error if it cannot be read */
  readonly variables: (file: string | undefined) => Environment;
  /** Finds the fonts of a folder, and opens them. @throws Error in words */
  readonly fontFiles: (dir: string | undefined) => readonly string[];
  /** Aborted when somebody stops it. */
  readonly stopping: AbortSignal;
}

const OPTIONS = {
  help: { type: 'boolean' },
  json: { type: 'boolean' },
  strict: { type: 'boolean' },
  url: { type: 'string' },
  'webhook-url': { type: 'string' },
  'env-file': { type: 'string' },
} as const;

/** @throws Error in words about wrong use */
function readOptions(argv: readonly string[]) {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS });
  const url = (name: 'url' | 'webhook-url') => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new Error(`--${name} must be an http or https URL`);
    return new URL(text);
  };
  const { 'webhook-url': _, ...others } = values;
  return { ...others, url: url('url'), webhookUrl: url('webhook-url') };
}

/** What a run of the command checks; undefined if only help is wanted. @throws Error in words */
function readRun({ argv, variables, fontFiles }: CheckRun) {
  const { help, 'env-file': envFile, ...options } = readOptions(argv);
  const env = variables(envFile);
  if (help) return undefined;
  const read = readConfig(env);
  if ('problems' in read) throw new Error(['The configuration cannot be read:', ...read.problems].join('\n  '));
  const { config } = read;
  return { ...options, envFile, env, config, fontFiles: fontFiles(config.PDF_FONTS_DIR) };
}

/** Runs the command to its end. @returns the exit code */
export async function runCheck(run: CheckRun): Promise<number> {
  const { stopping } = run;
  let wanted: ReturnType<typeof readRun>;
  try {
    wanted = readRun(run);
  } catch (error) {
    console.error(`${(error as Error).message}.\n  See npm run server -- check --help.`);
    return EXIT.usage;
  }
  if (wanted === undefined) {
    console.log(USAGE);
    return 0;
  }
  const { json, strict = false, ...given } = wanted;
  const findings = await checked({ ...given, stopping });
  const { version } = programVersion(given.config);
  console.log(json ? jsonOf(findings, version) : tableOf(findings));
  return stopping.aborted ? EXIT.stopped : exitCodeOf(findings, strict);
}

/** What is checked, and with what. */
export interface CheckedRun
  extends Pick<CheckContext, 'config' | 'env' | 'envFile' | 'url' | 'webhookUrl' | 'fontFiles'> {
  readonly stopping: AbortSignal;
  /** How names of receivers are found; set by tests only. */
  readonly lookup?: Lookup;
}

/** Makes checks, then removes what they made, however they ended. */
export async function checked(run: CheckedRun, checks: readonly DeploymentCheck[] = CHECKS): Promise<CheckFinding[]> {
  const { config, stopping, lookup = dnsLookup(), ...given } = run;
  const over = AbortSignal.any([stopping, AbortSignal.timeout(ALL_MS)]);
  const database = checkedDatabase(config);
  const undoing = new Undoing();
  let bucket: CheckedBucket | undefined;
  const context: CheckContext = {
    ...given,
    config,
    lookup,
    database,
    bucket() {
      bucket ??= checkedBucket(config);
      return bucket;
    },
    signal: over,
    undo: (what, work) => undoing.add(what, work),
  };
  try {
    return await findingsOf(checks, context);
  } finally {
    const left = await undoing.undo();
    if (left.length > 0) console.error(`Could not be removed: ${left.join(', ')}.`);
    bucket?.stop();
    await database.close();
  }
}
