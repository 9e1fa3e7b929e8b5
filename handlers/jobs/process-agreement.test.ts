/** When processes agree on what must be the same in all of them, and how a disagreement is told. */

import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { loggedLines } from '../../scripts/world/logged-lines.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { clockOffsetMs, setClockOffset } from '../runtime/clock.ts';
import { type Config, readConfig } from '../runtime/config.ts';
import { registry } from '../runtime/metrics.ts';
import { agreementWatch, disagreements, livingProcesses, settingDigests } from './process-agreement.ts';

const { store } = await testDeployment();

const [salt, inStore] = [randomBytes(32), randomBytes(32)];
const key = () => randomBytes(32).toString('base64url');

const S3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 's' };
const configured = (env: Readonly<Record<string, string>>) =>
  (readConfig({ MONGODB_URI: 'mongodb://db', ...S3, ...env }) as { config: Config }).config;

/** A process that is configured so. */
async function processOf(env: Readonly<Record<string, string>>, fontFiles: readonly string[] = []) {
  const config = configured(env);
  return {
    _id: randomUUID(),
    settings: await settingDigests({ config, fontFiles }, salt, async () => inStore),
  };
}

/** The settings on which processes of these variables disagree, and how many of how many differ. */
async function said(...envs: readonly Readonly<Record<string, string>>[]): Promise<string[]> {
  const found = disagreements(await Promise.all(envs.map((env) => processOf(env))));
  return found.map(({ setting, differing, among }) => `${setting} ${differing.length}/${among}`);
}

test('processes agree on keys when each opens what the others seal: at each step of a rotation that adds before it seals', async () => {
  const [old, next] = [key(), key()];
  const steps = [old, `${old},${next}`, `${next},${old}`, next];
  for (const name of ['PAGE_TOKEN_KEYS', 'WEBHOOK_SECRET_KEYS']) {
    const between = (from: number, to: number) => said({ [name]: steps[from] ?? '' }, { [name]: steps[to] ?? '' });
    expect([await between(0, 1), await between(1, 2), await between(2, 3)]).toEqual([[], [], []]);
    // The first seals by a key that the second does not have yet.
    expect([await between(0, 2), await between(0, 3)]).toEqual([[`${name} 1/2`], [`${name} 1/2`]]);
    expect(await said({ [name]: old }, { [name]: old }, { [name]: next }, { [name]: old })).toEqual([`${name} 1/4`]);
  }
});

test('without keys of its own a process uses that of the store, which always opens secrets of webhooks', async () => {
  expect(await said({}, {})).toEqual([]);
  expect(await said({}, { PAGE_TOKEN_KEYS: key() })).toEqual(['PAGE_TOKEN_KEYS 1/2']);
  expect(await said({}, { WEBHOOK_SECRET_KEYS: key() })).toEqual(['WEBHOOK_SECRET_KEYS 1/2']);
  const read = Buffer.from(inStore).toString('base64url');
  expect(await said({}, { WEBHOOK_SECRET_KEYS: read })).toEqual([]);
});

test.each([
  ['S3_BUCKET', 'files', 'other'],
  ['S3_ENDPOINT', 'https://s3.example', 'https://other.example'],
  ['S3_PUBLIC_ENDPOINT', 'https://files.example', ''],
  ['ERROR_DOMAIN', 'one', 'another'],
  ['DOCS_URL', 'https://one.example/docs', ''],
  ['TRUSTED_PROXIES', '10.0.0.1', ''],
  ['WEBHOOK_ALLOW_NETWORKS', '', '127.0.0.1:8443'],
])('%s must be equal', async (name, one, other) => {
  expect(await said({ [name]: one }, { [name]: one }, { [name]: other })).toEqual([`${name} 1/3`]);
});

test('lists are compared without their order; what each process has of its own, and secrets of an access, are not compared', async () => {
  expect(await said({ TRUSTED_PROXIES: '10.0.0.1,10.0.0.2' }, { TRUSTED_PROXIES: '10.0.0.2, 10.0.0.1' })).toEqual([]);
  expect(await said({ PORT: '8081', LOG_LEVEL: 'warn' }, { S3_SECRET_ACCESS_KEY: 'other', HOST: '::1' })).toEqual([]);
});

test('a rate limit in memory is for a single process', async () => {
  expect(await said({ RATE_LIMIT_STORE: 'memory' })).toEqual([]);
  expect(await said({ RATE_LIMIT_STORE: 'memory' }, { RATE_LIMIT_STORE: 'memory' })).toEqual(['RATE_LIMIT_STORE 1/2']);
  expect(await said({ RATE_LIMIT_STORE: 'memory' }, {}, {})).toEqual(['RATE_LIMIT_STORE 1/3']);
});

test('what only requests need is not compared with workers, nor a setting with a release that does not have it', async () => {
  const worker = { ROLE: 'worker', PAGE_TOKEN_KEYS: key(), DOCS_URL: 'https://other.example/docs' };
  expect(await said({}, worker)).toEqual([]);
  expect(await said({}, { ...worker, S3_BUCKET: 'other' })).toEqual(['S3_BUCKET 1/2']);
  const { settings, ...row } = await processOf({ S3_BUCKET: 'other' });
  const { S3_BUCKET: _, ...others } = settings;
  expect(disagreements([await processOf({}), { ...row, settings: others }])).toEqual([]);
});

test('fonts are compared by their bytes and their order, not by their place', async () => {
  const font = (name: string) => `node_modules/dejavu-fonts-ttf/ttf/${name}.ttf`;
  const fonts = ['DejaVuSans', 'DejaVuSerif'].map(font);
  const compared = async (files: readonly string[]) =>
    disagreements([await processOf({}, fonts), await processOf({}, files)]).map(({ setting }) => setting);
  expect(await compared(fonts.map((file) => `./${file}`))).toEqual([]);
  expect([await compared(fonts.toReversed()), await compared([])]).toEqual([['PDF_FONTS_DIR'], ['PDF_FONTS_DIR']]);
});

test('a digest tells nothing to who has not the secret of the store', async () => {
  const env = { PAGE_TOKEN_KEYS: key() };
  const { settings } = await processOf(env);
  const config = configured(env);
  const other = await settingDigests({ config, fontFiles: [] }, randomBytes(32), async () => inStore);
  for (const [name, digests] of Object.entries(settings)) expect([name, other[name]]).not.toEqual([name, digests]);
  expect(JSON.stringify(settings)).not.toContain(env.PAGE_TOKEN_KEYS);
});

test('a disagreement is logged once in each process, shown, and over with the process that differs', async () => {
  const { log, lines } = loggedLines();
  const watch = (env: Readonly<Record<string, string>>) =>
    agreementWatch(store, { config: configured(env), fontFiles: [] }, log);
  const look = () => setClockOffset(clockOffsetMs());
  const shown = async () => {
    const lines = (await registry.metrics()).split('\n');
    return lines.filter((line) => /^deployment_processes.*(api|worker|_KEYS).* \d/.test(line));
  };
  const first = watch({ ROLE: 'api' });
  const differing = watch({ ROLE: 'api', PAGE_TOKEN_KEYS: key() });
  const worker = watch({ ROLE: 'worker' });
  for (const one of [first, worker, differing]) await one.start();
  expect([differing.disagreed(), (await livingProcesses(store)).map(({ role }) => role).toSorted()]).toEqual([
    ['PAGE_TOKEN_KEYS'],
    ['api', 'api', 'worker'],
  ]);
  expect(await shown()).toEqual([
    'deployment_processes{role="api"} 2',
    'deployment_processes{role="worker"} 1',
    'deployment_processes_differing{setting="PAGE_TOKEN_KEYS"} 1',
    'deployment_processes_differing{setting="WEBHOOK_SECRET_KEYS"} 0',
  ]);
  look();
  await eventually('the others see it', () => lines.length === 3);
  expect(lines.map(({ event, setting, processes }) => [event, setting, processes])).toEqual(
    lines.map(() => ['settings_disagree', 'PAGE_TOKEN_KEYS', 2]),
  );
  await differing.stop();
  look();
  await eventually('agreement', () => lines.length === 5);
  expect([first.disagreed(), lines.slice(3).map(({ event }) => event)]).toEqual([[], Array(2).fill('settings_agree')]);
  for (const one of [first, worker]) await one.stop();
  expect(await livingProcesses(store)).toEqual([]);
});
