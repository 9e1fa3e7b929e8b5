import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { curlLine, readyJson, readyText } from './screen.ts';

const ready = {
  url: 'http://127.0.0.1:8080',
  replicas: ['http://127.0.0.1:8090'],
  docs: true,
  storageUrl: 'http://127.0.0.1:8081',
  controlUrl: '',
  metricsUrl: '',
  database: 'embedded' as const,
  engine: { topology: 'embedded' as const, version: '7.0.0', hasSnapshots: false },
  dataDir: '.data',
  webhookReceiver: {
    host: '127.0.0.1',
    port: 8443,
    certificate: '/data/webhooks/receiver.pem',
    key: '/data/webhooks/receiver-key.pem',
    ca: '/data/webhooks/ca.pem',
  },
  secrets: { CONF_KEY_FULL_1: 'dapi_secret', CONF_KEY_EMPLOYEES_READ: 'dapi_other' },
  employees: 10_510,
  seconds: 3.21,
};

test('the text has everything that a newcomer needs', () => {
  const text = readyText(ready);
  const line = "curl -s -H 'X-API-Key: dapi_secret' 'http://127.0.0.1:8080/developer/v1/employees?limit=2";
  for (const part of [
    '/docs',
    '/openapi.yaml',
    '/openapi.json',
    '/collection.json',
    'dapi_other',
    line,
    'npm run conformance -- --profile .data/conformance.yaml',
    'npm run settings',
    'https://127.0.0.1:8443',
    '/data/webhooks',
    'Ctrl-C',
  ]) {
    expect(text).toContain(part);
  }
});

test('a given database is named with its kind, and a warning says what a standalone server lacks', () => {
  const on = (topology: 'replica set' | 'standalone') =>
    readyText({ ...ready, database: 'MONGODB_URI', engine: { topology, version: '6.0.5', hasSnapshots: false } });
  expect(on('replica set')).toContain('MONGODB_URI, a replica set of MongoDB 6.0.5\n');
  expect(on('replica set')).not.toContain('trying out');
  expect(on('standalone')).toMatch(/a standalone of MongoDB 6\.0\.5\n[\s\S]*serves for trying out/);
});

test('the curl line survives a shell as it is', () => {
  const words = execFileSync('sh', ['-c', `for word in ${curlLine(ready.url, 'k')}; do echo "$word"; done`])
    .toString()
    .trim()
    .split('\n');
  expect(words).toEqual([
    'curl',
    '-s',
    '-H',
    'X-API-Key: k',
    `${ready.url}/developer/v1/employees?limit=2&expand=person&expand=department`,
  ]);
});

test('if the tenants are not ours, no key is shown', () => {
  const text = readyText({ ...ready, secrets: null });
  expect(text).not.toContain('dapi_');
  expect(text).toContain('npm run settings');
});

test('in production the text mentions no address of webhooks, else also those of the environment', () => {
  const webhookReceiver = { ...ready.webhookReceiver, others: '10.0.0.1:8443' };
  expect(readyText({ ...ready, webhookReceiver })).toContain('may go to 10.0.0.1:8443 too (WEBHOOK_ALLOW_NETWORKS)');
  expect(readyText({ ...ready, webhookReceiver: null })).not.toContain('Webhooks');
  expect(readyJson({ ...ready, webhookReceiver: null }, null)).toMatchObject({ webhooks: null });
});

test('the JSON has the addresses of the text: a base URL without the prefix that paths begin with', () => {
  const shown = (name: string) => new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(readyText(ready))?.[1];
  expect(shown('Base URL')).toBe(ready.url);
  expect(readyJson(ready, { profile: '/p', env: '/e' })).toMatchObject({
    event: 'ready',
    base_url: ready.url,
    replicas: [shown('Another process')],
    docs_url: `${ready.url}/docs`,
    conformance_profile: '/p',
    keys: { CONF_KEY_FULL_1: 'dapi_secret' },
    webhooks: { WEBHOOK_ALLOW_NETWORKS: '127.0.0.1:8443', WEBHOOK_CA_FILE: '/data/webhooks/ca.pem' },
  });
});
