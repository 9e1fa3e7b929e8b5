import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { describeConfig, readConfig } from './config.ts';

const base = { MONGODB_URI: 'mongodb://127.0.0.1:27017/', STORAGE_DIR: '/var/files' };
const KEY = randomBytes(32).toString('base64url');
const problems = (environment: Record<string, string>) => {
  const read = readConfig(environment);
  return 'problems' in read ? read.problems : [];
};

describe('readConfig', () => {
  test('fills in defaults', () => {
    const read = readConfig(base);
    expect('config' in read && read.config).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      RATE_LIMIT_STORE: 'shared',
    });
  });

  test('an empty variable counts as unset', () => {
    expect(problems({ ...base, PORT: '' })).toEqual([]);
  });

  test.each([
    ['ROLE', 'both'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['MONGODB_URI', 'postgres://x'],
    ['PAGE_TOKEN_KEYS', 'c2hvcnQ'],
    ['PAGE_TOKEN_KEYS', 'A'.repeat(43)],
    ['PAGE_TOKEN_KEYS', [KEY, KEY].join()],
    ['WEBHOOK_SECRET_KEYS', Buffer.alloc(32, 7).toString('base64url')],
    ['RATE_LIMIT_STORE', 'redis'],
    ['READY_JSON', 'maybe'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['MAX_CONNECTIONS', '1e3'],
    ['DATABASE_TIMEOUT_MS', ' 500'],
    ['ERROR_DOMAIN', 'a b'],
    ['DOCS_FILE', '/nowhere/docs.html'],
    ['DOCS_URL', 'api.example.com/docs'],
    ['DOCS_URL', 'https://api.example.com/docs#/errors'],
    ['REQUEST_TIMEOUT_MS', '500'],
    ['STORAGE_URL', 'files.example.com'],
    ['STORAGE_URL', 'https://files.example.com/?a=b'],
    ['S3_BUCKET', 'No Bucket'],
    ['S3_ENDPOINT', 'ftp://s3.example.com'],
    ['WEBHOOK_SECRET_KEYS', 'c2hvcnQ'],
    ['CONTROL_PEERS', '127.0.0.1:9080'],
    ['WEBHOOK_ALLOW_NETWORKS', '127.0.0.1'],
    ['WEBHOOK_ALLOW_NETWORKS', '127.0.0.1:8443,localhost:8443'],
    ['WEBHOOK_CA_FILE', '/nowhere/ca.pem'],
    ['WEBHOOK_CA_FILE', import.meta.filename],
  ])('%s=%s is refused in one sentence that names the variable', (name, value) => {
    const found = problems({ ...base, [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${name}: .+\\.$`));
    expect(found[0]).not.toContain(value === 'c2hvcnQ' ? value : '\n');
  });

  test('addresses, networks and their names count as proxies', () => {
    const read = readConfig({ ...base, TRUSTED_PROXIES: '10.0.0.1, fd00::/8,loopback' });
    expect('config' in read && read.config.TRUSTED_PROXIES).toEqual(['10.0.0.1', 'fd00::/8', 'loopback']);
  });

  test('the message about a missing database says what it is for', () => {
    expect(problems({})[0]).toMatch(/^MONGODB_URI must be set: the database/);
  });

  test('files have exactly one place, which clients can reach', () => {
    const { STORAGE_DIR, ...none } = base;
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(problems(none)).toEqual([expect.stringMatching(/^STORAGE_DIR, S3_BUCKET: One of them must be set/)]);
    expect(problems({ ...base, ...keys, S3_BUCKET: 'files' })).toEqual([
      expect.stringMatching(/^STORAGE_DIR, S3_BUCKET: Only one of them/),
    ]);
    expect(problems({ ...none, ...keys, S3_BUCKET: 'files' })).toEqual([]);
    expect(problems({ ...none, S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' })).toEqual([
      expect.stringMatching(/^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: must be set/),
    ]);
    for (const HOST of ['0.0.0.0', '::'])
      expect(problems({ ...base, HOST })).toEqual([expect.stringMatching(/^STORAGE_URL must be set/)]);
    expect(problems({ ...base, HOST: '0.0.0.0', STORAGE_URL: 'https://files.example.com/x/' })).toEqual([]);
  });

  test('the control clock is refused in production', () => {
    expect(problems({ ...base, NODE_ENV: 'production', CONTROL_PORT: '0' })[0]).toMatch(/^CONTROL_PORT: .*production/);
  });

  test('--help names every variable, and its default', () => {
    const read = readConfig(base);
    const names = 'config' in read ? Object.keys(read.config) : [];
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(describeConfig()).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(describeConfig()).toMatch(/^ {2}PORT .*\(default: 8080\)$/m);
    expect(describeConfig()).toContain('production refuses CONTROL_PORT;');
  });
});
