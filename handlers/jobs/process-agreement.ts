/**
 * What all processes of a deployment must have in common. Each keeps a row about itself in the store, with a digest of
 * each such setting, and compares all rows: other keys for page tokens in one process make every other list a 400 and are
 * seen nowhere else. The digests are keyed with a secret of the store and say nothing about the settings to anybody who
 * does not have both.
 *
 * A disagreement is told, and takes nobody down: while processes restart one by one with new settings, it is meant.
 */
import { createHmac, hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessRow } from '../data/collections/processes.ts';
import type { Store } from '../data/store.ts';
import { sharedSecret } from '../data/token-keys.ts';
import { databaseMs } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import { gauge } from '../runtime/metrics.ts';
import { programVersion } from '../runtime/version.ts';
import { folderIdentity } from '../storage/folder.ts';
import { repeatWork } from './repeated-work.ts';

const deploymentProcesses = gauge(
  'deployment_processes',
  'Processes of the deployment that live, as the store shows them. Of the whole store.',
  'role',
);

const deploymentDisagreements = gauge(
  'deployment_processes_differing',
  'Processes whose setting differs from what most have although it must be the same. Of the whole store.',
  'setting',
);

/** How often a process writes its row and compares, in milliseconds. */
const BEAT_MS = 10_000;
/** A process that has not written its row for this long, in milliseconds, is gone: it may miss three times. */
const GONE_MS = 45_000;

/** What a setting is made of for {@link settingDigests}. */
export interface AgreedParts {
  readonly config: Config;
  /** The files of the added fonts, in their order. */
  readonly fontFiles: readonly string[];
}

interface AgreedSetting {
  /** Whether it is a list of keys: two processes agree if each opens what the other one seals, so keys can be changed step by step. */
  readonly isKeys?: true;
  /** Whether workers, which answer no requests, are left out. */
  readonly ofApi?: true;
  /** What must be equal; the setting itself by default. */
  value?(parts: AgreedParts, shared: SharedKeys): Promise<readonly (string | Uint8Array)[]>;
}

/** The keys that the store keeps for a deployment that sets none. */
type SharedKeys = (id: 'page_token' | 'webhook_secret') => Promise<Uint8Array>;

/** What processes must agree on. The key of a row is the variable that sets it; the log names that variable. */
const AGREED: Readonly<Partial<Record<keyof Config, AgreedSetting>>> = {
  PAGE_TOKEN_KEYS: {
    isKeys: true,
    ofApi: true,
    value: async ({ config }, shared) => config.PAGE_TOKEN_KEYS ?? [await shared('page_token')],
  },
  WEBHOOK_SECRET_KEYS: {
    isKeys: true,
    // The key in the store opens what it has sealed whatever is configured.
    value: async ({ config }, shared) => [...(config.WEBHOOK_SECRET_KEYS ?? []), await shared('webhook_secret')],
  },
  STORAGE_DIR: {
    // The path says nothing: containers mount different folders at the same one.
    value: async ({ config: { STORAGE_DIR: dir } }) => [dir === undefined ? '' : ((await folderIdentity(dir)) ?? '')],
  },
  S3_BUCKET: {},
  S3_ENDPOINT: {},
  S3_PUBLIC_ENDPOINT: { ofApi: true },
  PDF_FONTS_DIR: {
    // The order of the files decides which one a letter is printed in; their names do not.
    value: async ({ fontFiles }) => [fontFiles.map((file) => hash('sha256', readFileSync(file), 'hex')).join()],
  },
  RATE_LIMIT_STORE: {
    ofApi: true,
    // A process that counts alone agrees with no other one.
    value: async ({ config: { RATE_LIMIT_STORE: kind } }) => [kind === 'memory' ? randomUUID() : kind],
  },
  ERROR_DOMAIN: { ofApi: true },
  DOCS_URL: { ofApi: true },
  TRUSTED_PROXIES: { ofApi: true },
  WEBHOOK_ALLOW_NETWORKS: {},
  WEBHOOK_CA_FILE: {
    value: async ({ config: { WEBHOOK_CA_FILE: file } }) => [file === undefined ? '' : readFileSync(file)],
  },
};

/** A setting as one text. The order of a list says nothing. */
const textOf = (config: Readonly<Record<string, unknown>>, name: string) =>
  [config[name] ?? ''].flat().map(String).toSorted().join('\n');

/** Enough to tell settings apart: 128 bits. */
const DIGEST_CHARACTERS = 22;

function digestOf(salt: Uint8Array, name: string, value: string | Uint8Array): string {
  const digest = createHmac('sha256', salt).update(name).update('\0').update(value).digest('base64url');
  return digest.slice(0, DIGEST_CHARACTERS);
}

/**
 * The digests that a process writes into its row.
 * @param salt the secret `agreement` of the store
 * @param shared the other secrets of the store, which are asked for where no keys are configured
 */
export async function settingDigests(
  parts: AgreedParts,
  salt: Uint8Array,
  shared: SharedKeys,
): Promise<ProcessRow['settings']> {
  const isWorker = parts.config.ROLE === 'worker';
  const own = Object.entries(AGREED).filter(([, { ofApi }]) => !(isWorker && ofApi));
  const digests = own.map(async ([name, { value }]) => {
    const values = (await value?.(parts, shared)) ?? [textOf(parts.config, name)];
    return [name, values.map((each) => digestOf(salt, name, each))] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

/** A setting on which processes disagree, with those that differ from what most have. */
interface SettingDisagreement {
  readonly setting: string;
  readonly differing: readonly ComparedProcess[];
  /** How many processes were compared. */
  readonly among: number;
}

/** What of a row is compared. */
type ComparedProcess = Pick<ProcessRow, '_id' | 'settings'>;

function doAgree(name: string, isKeys: boolean, one: ComparedProcess, other: ComparedProcess): boolean {
  const [of, its] = [one.settings[name] ?? [], other.settings[name] ?? []];
  const [first, itsFirst] = [of[0], its[0]];
  if (first === undefined || itsFirst === undefined) return true;
  return isKeys ? its.includes(first) && of.includes(itsFirst) : first === itsFirst;
}

/** Compares processes. Those that differ are the ones outside the largest group that agrees with one of its members. */
export function disagreements(processes: readonly ComparedProcess[]): SettingDisagreement[] {
  return Object.entries(AGREED).flatMap(([setting, { isKeys = false }]) => {
    // Workers lack what concerns requests, and another release may lack a setting: these cannot differ in it.
    const compared = processes.filter(({ settings }) => setting in settings);
    const differing = compared
      .map((one) => compared.filter((other) => !doAgree(setting, isKeys, one, other)))
      .reduce((fewest, others) => (others.length < fewest.length ? others : fewest), compared);
    return differing.length === 0 ? [] : [{ setting, differing, among: compared.length }];
  });
}

/** The rows of processes that live. */
export async function livingProcesses({ processes }: Pick<Store, 'processes'>): Promise<ProcessRow[]> {
  const rows = await processes.find().toArray();
  return rows.filter(({ seen_time }) => seen_time.getTime() > databaseMs() - GONE_MS);
}

/** Keeps the row of this process, and compares it with the others. */
export interface AgreementWatch {
  /** Writes the row and compares, now and regularly from then on. @throws the store's error if it cannot now */
  start(): Promise<void>;
  /** Removes the row. */
  stop(): Promise<void>;
  /** The variables on which processes disagreed at the last look. */
  disagreed(): readonly string[];
}

/** A watch that has not started. It logs a disagreement when it begins, when it changes, and when it ends. */
export function agreementWatch(store: Store, parts: AgreedParts, log: Logger): AgreementWatch {
  const { version, revision } = programVersion(parts.config);
  const _id = randomUUID();
  let own: Omit<ProcessRow, '_id' | 'seen_time'> | undefined;
  let said = new Map<string, string>();

  async function ownRow(): Promise<Omit<ProcessRow, '_id' | 'seen_time'>> {
    const settings = await settingDigests(parts, await sharedSecret(store, 'agreement'), (id) =>
      sharedSecret(store, id),
    );
    const start_time = new Date(databaseMs());
    const { ROLE: role } = parts.config;
    return {
      role,
      version,
      ...(revision !== undefined && { revision }),
      host: hostname(),
      pid: process.pid,
      start_time,
      settings,
    };
  }

  async function look(): Promise<void> {
    own ??= await ownRow();
    // As a whole: a process that was frozen finds its row removed.
    const row = { ...own, seen_time: new Date(databaseMs()) };
    await store.processes.replaceOne({ _id }, row, { upsert: true });
    const living = await livingProcesses(store);
    const found = disagreements(living);
    tell(found);
    showProcesses(living, found);
  }

  function tell(found: readonly SettingDisagreement[]): void {
    const saying = new Map(found.map(({ setting, differing, among }) => [setting, `${differing.length} of ${among}`]));
    for (const { setting, differing, among } of found) {
      if (said.get(setting) === saying.get(setting)) continue;
      const counts = { processes_differing: differing.length, processes: among };
      const words = `${setting} must be the same in all processes of the deployment. Run the check of the server.`;
      log.warn({ event: 'settings_disagree', setting, ...counts }, words);
    }
    for (const setting of said.keys()) if (!saying.has(setting)) log.info({ event: 'settings_agree', setting });
    said = saying;
  }

  const looking = repeatWork({ name: 'agreement', everyMs: BEAT_MS, run: () => look().then(() => false) }, log);
  return {
    async start() {
      await look();
      void looking.begin();
    },
    async stop() {
      await looking.stop();
      await store.processes.deleteOne({ _id }).catch(() => {});
    },
    disagreed: () => [...said.keys()],
  };
}

function showProcesses(living: readonly ProcessRow[], found: readonly SettingDisagreement[]): void {
  for (const role of ['all', 'api', 'worker'] as const) {
    deploymentProcesses.set({ role }, living.filter((each) => each.role === role).length);
  }
  for (const setting of Object.keys(AGREED)) {
    const differing = found.find((each) => each.setting === setting)?.differing.length ?? 0;
    deploymentDisagreements.set({ setting }, differing);
  }
}
