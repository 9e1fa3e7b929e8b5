/** Secrets that are mounted as files, and variables that are none of the server's. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { describeConfig, readConfig } from './config.ts';
import { filledUp } from './environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'environment-'));
const base = { MONGODB_URI: 'mongodb://127.0.0.1:27017/', STORAGE_DIR: '/var/files' };
const KEY = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64url');
const SECRETS = ['MONGODB_URI', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'PAGE_TOKEN_KEYS', 'WEBHOOK_SECRET_KEYS'];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: string): string {
  const path = join(mkdtempSync(join(folder, 'secret-')), 'value');
  writeFileSync(path, content);
  return path;
}

function read(environment: Record<string, string>) {
  const { config, problems } = { config: undefined, problems: [], ...readConfig(environment) };
  return { config, problems };
}

describe('a secret in a file', () => {
  test.each(SECRETS)('%s_FILE names it, and --help says so', (name) => {
    const value = name === 'MONGODB_URI' ? base.MONGODB_URI : KEY;
    const others = { ...base, [name]: '' };
    const byFile = read({ ...others, [`${name}_FILE`]: file(`${value}\n`) });
    expect(byFile).toEqual({ config: read({ ...others, [name]: value }).config, problems: [] });
    expect(byFile.config).toHaveProperty(name);
    expect(describeConfig()).toMatch(new RegExp(`^  ${name} .* \\(in a file: ${name}_FILE\\)`, 'm'));
  });

  test.each([
    ['value', 'value'],
    ['value\n', 'value'],
    ['value\r\n', 'value'],
    ['value\n\n', 'value\n'],
    [' value \n', ' value '],
    ['\nvalue', '\nvalue'],
  ])('%j is %j: one line end at the end is no part of it', (content, value) => {
    const { config } = read({ ...base, S3_SECRET_ACCESS_KEY_FILE: file(content) });
    expect(config?.S3_SECRET_ACCESS_KEY).toBe(value);
  });

  test('beside the variable itself is refused, unless one of them is empty', () => {
    const path = file(KEY);
    expect(read({ ...base, PAGE_TOKEN_KEYS: KEY, PAGE_TOKEN_KEYS_FILE: path }).problems).toEqual([
      'PAGE_TOKEN_KEYS, PAGE_TOKEN_KEYS_FILE: only one of them may be set.',
    ]);
    expect(read({ ...base, PAGE_TOKEN_KEYS: '', PAGE_TOKEN_KEYS_FILE: path }).problems).toEqual([]);
    expect(read({ ...base, PAGE_TOKEN_KEYS: KEY, PAGE_TOKEN_KEYS_FILE: '' }).problems).toEqual([]);
  });

  test.each([
    ['that is absent', () => join(folder, 'absent'), 'cannot be read (ENOENT)'],
    ['that is a folder', () => folder, 'cannot be read (EISDIR)'],
    ['that is empty', () => file(''), 'is empty'],
    ['that is a line end', () => file('\n'), 'is empty'],
  ])('%s is the only problem, named with variable and path', (_, pathOf, why) => {
    const path = pathOf();
    const { MONGODB_URI, ...others } = base;
    expect(read({ ...others, MONGODB_URI_FILE: path }).problems).toEqual([
      `MONGODB_URI_FILE: the file ${path} ${why}.`,
    ]);
  });

  test('that is wrong is refused by the name of its variable, without what it holds', () => {
    const { problems } = read({ ...base, PAGE_TOKEN_KEYS_FILE: file('hunter2') });
    expect(problems).toEqual(['PAGE_TOKEN_KEYS_FILE: must be 32 bytes in base64url.']);
  });
});

describe('a variable that the server does not have', () => {
  test.each([
    ['PAGE_TOKEN_KEY', 'PAGE_TOKEN_KEYS'],
    ['PAGE_TOKEN_SECRETS', 'PAGE_TOKEN_KEYS'],
    ['PAGE_TOKENS_KEYS', 'PAGE_TOKEN_KEYS'],
    ['page_token_keys', 'PAGE_TOKEN_KEYS'],
    ['PAGE_TOKEN_KEY_FILE', 'PAGE_TOKEN_KEYS_FILE'],
    ['MONGO_URI', 'MONGODB_URI'],
    ['MONGODB_URL', 'MONGODB_URI'],
    ['MONGODB_DATABASE_NAME', 'MONGODB_DATABASE'],
    ['RATE_LIMIT_PER_SECOND', 'RATE_LIMIT_STORE'],
    ['WEBHOOK_SECRETS', 'WEBHOOK_SECRET_KEYS'],
    ['S3_SECRET_KEY', 'S3_SECRET_ACCESS_KEY'],
    ['STORAGE_DIRECTORY', 'STORAGE_DIR'],
    ['CONTROL_PEER', 'CONTROL_PEERS'],
    ['NODE_ENVS', 'NODE_ENV'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['LOG_LEVEL_FILE', 'LOG_LEVEL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['IGNORE_VARIABLES', 'IGNORED_VARIABLES'],
  ])('%s is refused, with %s as the nearest, unless it is ignored', (name, nearest) => {
    const { problems } = read({ ...base, [name]: 'hunter2' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: .*nearest is ${nearest};.*IGNORED_VARIABLES\\.$`));
    expect(problems[0]).not.toContain('hunter2');
    expect(read({ ...base, [name]: 'x', IGNORED_VARIABLES: `OTHER, ${name}` }).problems).toEqual([]);
    expect(read({ ...base, [name]: '' }).problems).toEqual([]);
  });

  test('is no problem if Kubernetes sets it for a service, whatever the service is called', () => {
    for (const service of [
      'STORAGE',
      'MONGODB',
      'METRICS',
      'CONTROL',
      'DOCS',
      'S3',
      'WEBHOOK',
      'PAGE_TOKEN',
      'DOCS_URL',
    ]) {
      const links = {
        [`${service}_SERVICE_HOST`]: '10.0.0.7',
        [`${service}_SERVICE_PORT`]: '80',
        [`${service}_SERVICE_PORT_HTTP_API`]: '80',
        [`${service}_PORT`]: 'tcp://10.0.0.7:80',
        [`${service}_PORT_80_TCP`]: 'tcp://10.0.0.7:80',
        [`${service}_PORT_80_TCP_PROTO`]: 'tcp',
        [`${service}_PORT_80_TCP_PORT`]: '80',
        [`${service}_PORT_80_TCP_ADDR`]: '10.0.0.7',
      };
      expect(read({ ...base, ...links })).toEqual(read(base));
    }
  });

  test('is no problem if its name is of another program', () => {
    const names = `HOME HOSTNAME POST PORTS ROLES PWD SHLVL TZ LANG LC_ALL LOGNAME USER INIT_CWD YARN_VERSION
      NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION NODE_COMPILE_CACHE NODE_DEBUG NODE_REPL_HISTORY
      npm_config_loglevel npm_lifecycle_event npm_node_execpath NPM_CONFIG_CACHE SSL_CERT_FILE HTTPS_PROXY no_proxy
      AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_CA_BUNDLE MY_S3_BUCKET XS3_BUCKET ECS_AGENT_URI K_SERVICE FLY_REGION DYNO POD_NAME
      KUBERNETES_SERVICE_HOST KUBERNETES_PORT OTEL_EXPORTER_OTLP_HEADERS INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET
      CREDENTIALS_DIRECTORY TEST_MONGODB MONGOD TENANT KEY DATABASE_URL REDIS_URL POSTGRES_PASSWORD_FILE LOG_FORMAT`;
    const others = Object.fromEntries(names.split(/\s+/).map((name) => [name, 'x']));
    expect(read({ ...base, ...others })).toEqual(read(base));
  });
});

test('what is set already wins over other variables, a secret in either form; an empty value is not set', () => {
  const set = {
    PORT: '1',
    MONGODB_URI_FILE: '/run/uri',
    WEBHOOK_SECRET_KEYS: 'a',
  };
  const empty = { PAGE_TOKEN_KEYS: '', S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY_FILE: '', STORAGE_DIR: '' };
  const others = {
    PORT: '2',
    MONGODB_URI: 'b',
    WEBHOOK_SECRET_KEYS_FILE: '/run/keys',
  };
  const unset = {
    PAGE_TOKEN_KEYS_FILE: '/run/token',
    S3_ACCESS_KEY_ID: 'c',
    S3_SECRET_ACCESS_KEY_FILE: '/run/secret',
    STORAGE_DIR: '/var/files',
    HOST: '::1',
  };
  expect(filledUp({ ...set, ...empty }, { ...others, ...unset })).toEqual({ ...set, ...unset });
});
