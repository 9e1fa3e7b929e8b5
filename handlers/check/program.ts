/** Checks of the program and its configuration by themselves: versions, secrets, what is only for tests. */
import { statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { secrets } from '../runtime/config.ts';
import { fileVariable } from '../runtime/environment.ts';
import { programVersion } from '../runtime/version.ts';
import type { DeploymentCheck } from './check.ts';
import { doubtful, fine, skipped, wrong } from './finding.ts';

/** The release of Node that the project is tested with. */
const NODE = 24;

/** Each connection, of a client or to the database, is an open file. */
const OPEN_FILES = 4_096;
/** What large bodies, PDFs and the rows of pages need at once. */
const HEAP_MIB = 512;

/** Secrets that stand in manuals and in examples. */
const KNOWN =
  /^(minioadmin|minio123|password|passw0rd|secret|changeme|change-me|admin|administrator|root|test|example|default|rootpassword|12345678\d*|qwerty\w*|your[-_]?\w+)$/i;
const SHORTEST = 12;
/** Fewer different bytes than this has no random key of 32 bytes in a million years. */
const FEWEST_BYTES = 16;

/** Why a password is none; undefined if it may be one, or if there is none. */
function weakness(password: string | undefined): string | undefined {
  if (password === undefined) return undefined;
  if (KNOWN.test(password)) return 'stands in manuals';
  return password.length < SHORTEST ? `has fewer than ${SHORTEST} characters` : undefined;
}

/** Why a key is not random; undefined if it may be. Text has bytes of letters only, which 32 random bytes never have. */
function keyWeakness(key: Uint8Array): string | undefined {
  if (new Set(key).size < FEWEST_BYTES) return 'repeats the same few bytes';
  return key.every((byte) => byte >= 0x20 && byte < 0x7f) ? 'is a text, not random bytes' : undefined;
}

function passwordIn(uri: string): string | undefined {
  const encoded = /^mongodb(?:\+srv)?:\/\/[^:@/]*:([^@/]*)@/.exec(uri)?.[1];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

const FOR_ALL = { read: 0o004, enter: 0o001 };
const MIB = 1024 * 1024;

/** Whether other users can read it: they may, and may enter each folder above. Of a file of somebody else that is not ours to say. */
function isOpen(file: string): boolean {
  const { mode, uid } = statSync(file);
  const folders: string[] = [];
  for (let folder = dirname(resolve(file)); folder !== dirname(folder); folder = dirname(folder)) folders.push(folder);
  return (
    uid === process.getuid?.() &&
    (mode & FOR_ALL.read) !== 0 &&
    folders.every((folder) => (statSync(folder).mode & FOR_ALL.enter) !== 0)
  );
}

export const programChecks: readonly DeploymentCheck[] = [
  {
    name: 'program.version',
    about: 'the release, and the version of Node',
    async run({ config }) {
      const { version: release, revision, node } = programVersion(config);
      const words = `release ${release}${revision === undefined ? '' : `, revision ${revision.slice(0, 12)}`}, Node ${node}`;
      if (Number.parseInt(node, 10) === NODE) return fine(words);
      return doubtful(words, `Run it with Node ${NODE}, with which it is tested.`);
    },
  },
  {
    name: 'program.settings',
    about: 'nothing is set that is for tests',
    async run({ config, env }) {
      if (config.CONTROL_PORT !== undefined)
        return wrong('CONTROL_PORT is set: whoever reaches it moves the time', 'It is for tests: unset it.');
      if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
        return wrong(
          'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is verified',
          'Unset it; name authorities in NODE_EXTRA_CA_CERTS.',
        );
      const forTests = (['WEBHOOK_ALLOW_NETWORKS', 'WEBHOOK_CA_FILE'] as const).filter((name) => config[name]?.length);
      if (forTests.length > 0)
        return doubtful(
          `${forTests.join(' and ')} is set, which is for tests`,
          'Unset it, unless webhooks must go to these receivers.',
        );
      if (config.NODE_ENV !== 'production')
        return doubtful(`NODE_ENV is ${config.NODE_ENV}`, 'Set NODE_ENV=production, which refuses what is for tests.');
      if (['fatal', 'error', 'silent'].includes(config.LOG_LEVEL))
        return doubtful(`LOG_LEVEL=${config.LOG_LEVEL} hides warnings`, 'Set LOG_LEVEL=info.');
      return fine('nothing that is for tests is set');
    },
  },
  {
    name: 'program.limits',
    about: 'it may open enough files, and has enough memory',
    async run() {
      // It would look up the names of all peers.
      Object.assign(process.report, { excludeNetwork: true });
      const { userLimits } = process.report.getReport() as { userLimits?: Record<string, { soft: number | string }> };
      const files = userLimits?.open_files?.soft ?? 'unlimited';
      if (Number(files) < OPEN_FILES)
        return doubtful(`it may open ${files} files`, 'Raise the limit (ulimit -n, LimitNOFILE) to 65536.');
      const heapMib = Math.floor(getHeapStatistics().heap_size_limit / MIB);
      if (heapMib < HEAP_MIB)
        return doubtful(
          `its heap may grow to ${heapMib} MiB`,
          `Give the process more memory, or --max-old-space-size=${2 * HEAP_MIB}.`,
        );
      // Without a constraint it is 0, or more than there can be.
      const memoryMib = Math.floor(Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) / MIB);
      if (heapMib > memoryMib)
        return doubtful(
          `its heap may grow to ${heapMib} MiB, and there are ${memoryMib}`,
          'Lower --max-old-space-size, or give it more.',
        );
      return fine(`${files} open files, a heap of ${heapMib} MiB`);
    },
  },
  {
    name: 'program.docs',
    about: 'the docs are served, and errors link to them',
    async run({ config }) {
      if (config.DOCS_FILE === undefined)
        return doubtful(
          'DOCS_FILE is not set: /docs answers 404',
          'Render the docs (npm run docs -- --out FILE) and set it.',
        );
      if (config.DOCS_URL === undefined)
        return doubtful(
          'DOCS_URL is not set: errors do not link to their page',
          'Set it to the public address of /docs.',
        );
      return fine('are served, and errors link to them');
    },
  },
  {
    name: 'program.fonts',
    about: 'the added fonts can be printed with',
    async run({ config, fontFiles }) {
      if (config.PDF_FONTS_DIR === undefined) return fine('the built-in ones');
      return fine(`${fontFiles.length} added, each of which was opened`);
    },
  },
  {
    name: 'secrets.strength',
    about: 'no secret is short, well known or not random',
    async run({ config }) {
      const found = [
        ...(['PAGE_TOKEN_KEYS', 'WEBHOOK_SECRET_KEYS'] as const).map(
          (name) => [`a key of ${name}`, config[name]?.map(keyWeakness).find(Boolean)] as const,
        ),
        ['the password in MONGODB_URI', weakness(passwordIn(config.MONGODB_URI))] as const,
        ['S3_SECRET_ACCESS_KEY', weakness(config.S3_SECRET_ACCESS_KEY)] as const,
      ];
      const weak = found.flatMap(([name, why]) => (why === undefined ? [] : [`${name} ${why}`]));
      if (weak.length > 0) return wrong(weak.join('; '), 'Make new ones: openssl rand -base64 32 | tr +/ -_ | tr -d =');
      const texts = (name: 'PAGE_TOKEN_KEYS' | 'WEBHOOK_SECRET_KEYS') => (config[name] ?? []).map(String);
      if (texts('PAGE_TOKEN_KEYS').some((key) => texts('WEBHOOK_SECRET_KEYS').includes(key))) {
        return doubtful(
          'PAGE_TOKEN_KEYS and WEBHOOK_SECRET_KEYS share a key',
          'Make one for each, so that losing one loses no other.',
        );
      }
      return fine('none is short or well known');
    },
  },
  {
    name: 'secrets.files',
    about: 'files with secrets are not readable by everybody',
    async run({ env, envFile }) {
      const files = secrets.flatMap((name) => env[fileVariable(name)] || []);
      const isInFile = envFile !== undefined && secrets.some((name) => env[name]);
      const open = [...files, ...(isInFile ? [envFile] : [])].filter(isOpen);
      if (open.length > 0)
        return doubtful(`every user of this machine can read ${open.join(', ')}`, `chmod 600 ${open.join(' ')}`);
      const plain = secrets.filter((name) => env[name] && !isInFile);
      const isWeighty = plain.some((name) => name !== 'MONGODB_URI' || passwordIn(env[name] ?? '') !== undefined);
      if (isWeighty)
        return fine(
          `${plain.join(', ')} in the environment, where whoever inspects the container sees them; files are better`,
        );
      return files.length > 0 ? fine(`${files.length} in files that others cannot read`) : skipped('there is none');
    },
  },
];
