import { expect, test } from '@jest/globals';
import { docsUrlOf, replicaEnv, serverEnv } from './server.ts';

const docs = { docsFile: null, docsUrl: null };
const ports = { port: 0, storagePort: 0, metricsPort: 82, controlPort: 83 };
const options = { env: {}, dataDir: '.data', uri: 'mongodb://127.0.0.1:1/', ...ports, ...docs };

test('the server gets a control clock and metrics, the caller’s settings, and the settings that depend on them', () => {
  const given = { LOG_LEVEL: 'warn', MONGODB_URI: 'x', MONGODB_URI_FILE: 'y', PORT: '9' };
  const env = serverEnv({ ...options, env: { ...given, METRICS_PORT: '9100' } });
  expect(env).toMatchObject({ CONTROL_PORT: '83', METRICS_PORT: '9100', LOG_LEVEL: 'warn' });
  expect(env).toMatchObject({ MONGODB_URI: options.uri, MONGODB_URI_FILE: '', PORT: '0', READY_JSON: 'true' });
});

test('files are kept next to the database, unless the caller says where', () => {
  const where = (env: NodeJS.ProcessEnv) => {
    const { STORAGE_DIR, STORAGE_PORT, S3_BUCKET } = serverEnv({ ...options, env, storagePort: 81 });
    return { STORAGE_DIR, STORAGE_PORT, S3_BUCKET };
  };
  expect(where({ STORAGE_DIR: '' })).toEqual({ STORAGE_DIR: '.data/files', STORAGE_PORT: '81' });
  expect(where({ STORAGE_DIR: '/files', STORAGE_PORT: '82' })).toEqual({ STORAGE_DIR: '/files', STORAGE_PORT: '82' });
  expect(where({ S3_BUCKET: 'files' })).toEqual({ S3_BUCKET: 'files', STORAGE_PORT: '81' });
});

test('a further process has its own ports, no jobs, and the first one’s address for files', () => {
  const first = { storageUrl: 'http://127.0.0.1:8081' };
  const env = {
    PORT: '8080',
    METRICS_PORT: '9100',
    CONTROL_PORT: '9200',
    STORAGE_PORT: '8081',
    ROLE: 'all',
    LOG_LEVEL: 'warn',
  };
  expect(serverEnv({ ...options, env: replicaEnv(first, env) })).toMatchObject({
    PORT: '0',
    METRICS_PORT: '0',
    CONTROL_PORT: '0',
    STORAGE_PORT: '0',
    ROLE: 'api',
    STORAGE_URL: first.storageUrl,
    LOG_LEVEL: 'warn',
  });
  expect(replicaEnv(first, { STORAGE_URL: 'https://files.example' }).STORAGE_URL).toBe('https://files.example');
  expect(serverEnv({ ...options, env: replicaEnv(first, { NODE_ENV: 'production' }) }).CONTROL_PORT).toBeUndefined();
});

test('every process is told the one address of the docs, unless the caller names another or there is none', () => {
  const docsUrl = docsUrlOf('docs.html', '127.0.0.1', 8080);
  expect(docsUrl).toBe('http://127.0.0.1:8080/docs');
  const env = replicaEnv({ storageUrl: '' }, {});
  expect(serverEnv({ ...options, docsUrl, env }).DOCS_URL).toBe(docsUrl);
  const given = { DOCS_URL: 'https://hr.example/docs' };
  expect(serverEnv({ ...options, docsUrl, env: given }).DOCS_URL).toBe(given.DOCS_URL);
  expect(docsUrlOf('docs.html', '::1', 8080)).toBe('http://[::1]:8080/docs');
  expect([docsUrlOf('docs.html', '0.0.0.0', 8080), docsUrlOf(null, '127.0.0.1', 8080)]).toEqual([null, null]);
});
