/** The project's own rules as far as a script can check them. A failure names the file and says what to do. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../generated/contract.ts';
import { projectFiles } from './kit/project-copy.ts';
import { importsOf as specifiersOf } from './packages/imports.ts';

const root = resolve(import.meta.dirname, '..');
const files = projectFiles(root);
const sources = files.filter((file) => /\.(ts|js|mjs)$/.test(file) && !file.startsWith('generated/'));
const product = sources.filter((file) => !/\.test\.ts$/.test(file));
const server = product.filter((file) => file.startsWith('handlers/'));
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const lines = (file: string) => text(file).split('\n').length - 1;

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** What a file imports or requires: relative imports as paths from the root, others as written. */
function importsOf(file: string): string[] {
  const source = text(file);
  const required = [...source.matchAll(/\b(?:require|import\.meta\.url\))\('([^']+)'/g)].map(([, name = '']) => name);
  return [...specifiersOf(source, true), ...required].map((target) =>
    target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : target,
  );
}

const tags = new Set<string>(Object.values(operations).map(({ tag }) => tag));

/** The folder of `handlers/` that contains a file; undefined for a file directly below `handlers/` or outside it. */
const roomOf = (path: string) => /^handlers\/([a-z_]+)\//.exec(path)?.[1];
const isOfTag = (path: string) => tags.has(roomOf(path) ?? '');
const inTag = new RegExp(`^handlers/(${[...tags].join('|')})/`);

const isTest = (file: string) => file.endsWith('.test.ts');
const ofOtherRoots = /^(conformance|load|scripts)\//;
/** The rooms of `scripts/`, from the lowest. */
const floors = ['embedded-db', 'packages', 'kit', 'world', 'contract', 'operate', 'lab'];
const floorOf = (path: string) => floors.indexOf(/^scripts\/([a-z-]+)\//.exec(path)?.[1] ?? '');

/** May a file of a tag import this? */
function isForbiddenInTag(file: string, target: string): boolean {
  // They must distinguish errors of the database.
  if (/^(mongodb|bson)(\/|$)/.test(target)) return file !== 'handlers/ingest/apply/chunk.ts';
  if (/^(express|agenda|conformance|load|scripts)(\/|$)/.test(target)) return true;
  // The records of a batch are written by the same code as employees from other sources.
  if (file.startsWith('handlers/ingest/apply/') && target.startsWith('handlers/employees/write/')) return false;
  return isOfTag(target) && roomOf(target) !== roomOf(file);
}

/** What holds of imports: the files that it is about, and what these may not import. */
const importRules: readonly (readonly [string, RegExp, (target: string, file: string) => boolean])[] = [
  [
    'a tag imports its own folder and rooms that no tag has; never another tag, a framework or a driver',
    inTag,
    (target, file) => !isTest(file) && isForbiddenInTag(file, target),
  ],
  [
    'a room that is not a tag imports no tag, but for leaving/',
    /^handlers\/[a-z_]+\//,
    // What leaves is found, and changed, by the rules of each tag.
    (target, file) => !isTest(file) && !isOfTag(file) && !file.startsWith('handlers/leaving/') && isOfTag(target),
  ],
  [
    'rooms below the socket import nothing from http/',
    /^handlers\/(data|access|fairness)\//,
    (target, file) => !isTest(file) && roomOf(target) === 'http',
  ],
  [
    'runtime/ is the ground: it imports itself and what is generated',
    /^handlers\/runtime\//,
    (target, file) => !isTest(file) && /^handlers\/(?!runtime\/)/.test(target),
  ],
  ['data/ is below jobs/', /^handlers\/data\//, (target, file) => !isTest(file) && roomOf(target) === 'jobs'],
  [
    'answers/ imports only what is generated',
    /^handlers\/answers\//,
    (target, file) => !isTest(file) && !/^(generated|handlers\/answers)\//.test(target),
  ],
  [
    'the server imports no script and no suite, and its tests only what starts it',
    /^handlers\//,
    (target, file) => ofOtherRoots.test(target) && !(isTest(file) && /^scripts\/(kit|world)\//.test(target)),
  ],
  [
    'a suite imports only itself, what the contract generates, and the kit, which travels with it',
    /^(conformance|load)\//,
    (target, file) =>
      /^(handlers|scripts\/(?!kit\/))/.test(target) ||
      (file.startsWith('conformance/') && target.startsWith('load/')) ||
      ['mongodb', 'bson', 'mingo', 'agenda', 'express'].includes(target),
  ],
  [
    'scenarios know k6, what the contract generates, each other, and what the suite shares; no Node',
    /^load\//,
    (target, file) =>
      !isTest(file) &&
      !/^(load\/|generated\/|k6(\/\w+)?$|conformance\/(engine\/pacer|judge\/oracle)\.ts$|scripts\/kit\/page\/page\.ts$)/.test(
        target,
      ),
  ],
  [
    'the client imports itself, the generated calls and, in one file and its commands, Node',
    /^client\/src\//,
    (target, file) =>
      !isTest(file) &&
      !/^(client\/src|generated\/client)\//.test(target) &&
      !(/^client\/src\/(node\.ts$|cli\/)/.test(file) && target.startsWith('node:')),
  ],
  [
    'only tests, the lab, whose clients use it, and the tool for webhooks, which has its commands, import the client',
    /^(?!client\/|scripts\/(lab|operate\/webhooks)\/)/,
    (target, file) => !isTest(file) && target.startsWith('client/'),
  ],
  [
    'nothing else of the client needs its commands',
    /^client\/src\/(?!cli\/)/,
    (target) => target.startsWith('client/src/cli/'),
  ],
  [
    'a room of scripts/ imports itself and the rooms below it, also in its tests',
    /^scripts\//,
    (target, file) => floorOf(file) >= 0 && floorOf(target) > floorOf(file),
  ],
  [
    'deploy/ imports itself, what starts programs, makes packages or starts the service; its tests the server and the suites, too',
    // The program of the image runs the server, and the image holds the OpenSSL that the server finds.
    /^deploy\/(?!image\/(program|openssl)\.ts$)/,
    (target, file) =>
      /^(handlers|client|conformance|load|scripts)\//.test(target) &&
      !/^scripts\/(kit|packages|world|operate)\//.test(target) &&
      !(isTest(file) && /^(handlers|conformance)\//.test(target)),
  ],
  [
    'nothing imports deploy/, but for the lab, of which its topology is a command',
    /^(?!deploy\/)/,
    (target, file) =>
      target.startsWith('deploy/') && `${file} ${target}` !== 'scripts/lab/main.ts deploy/topology/command.ts',
  ],
  [
    'a package is used by what it publishes: nothing imports a file inside it, but for the ways that the pages of Ajv name',
    /./,
    (target) =>
      /^(?!conformance\/)(@[^/]+\/)?[^/]+\/(build|dist|js|lib)\//.test(target) &&
      !/^ajv\/dist\/(2020|standalone\/index)\.js$/.test(target),
  ],
  ['generated modules import only each other', /^generated\//, (target) => !target.startsWith('generated/')],
];

describe('who may import whom', () => {
  test.each(importRules)('%s', (_title, within, isForbidden) => {
    const generated = files.filter((file) => /^generated\/.*\.(ts|js)$/.test(file));
    const wrong = [...sources, ...generated]
      .filter((file) => within.test(file))
      .flatMap((file) => importsOf(file).map((target) => [file, target] as const))
      .filter(([file, target]) => isForbidden(target, file));
    expect(wrong).toEqual([]);
  });

  test('the client depends on no package', () => {
    const { dependencies = {} } = JSON.parse(text('client/package.json')) as Partial<Manifest>;
    expect(dependencies).toEqual({});
  });

  test('the rooms of scripts/ are those of the list', () => {
    const rooms = new Set(files.map((file) => /^scripts\/([^/]+)\//.exec(file)?.[1]).filter((room) => room));
    expect([...rooms].toSorted()).toEqual(floors.toSorted());
  });

  test('the embedded database is a package: it imports itself and what it declares, and nobody imports it', () => {
    const folder = 'scripts/embedded-db/';
    const ours = JSON.parse(text('package.json')) as Manifest;
    const its = JSON.parse(text(`${folder}package.json`)) as Manifest;
    const used = { product: new Set<string>(), tests: new Set<string>() };
    const wrong = sources.flatMap((file) => {
      const packages = /\.test\.ts$|\/test-fixture\.ts$/.test(file) ? used.tests : used.product;
      return importsOf(file).filter((target) => {
        if (!file.startsWith(folder)) return target.startsWith(folder);
        if (target.startsWith(folder) || target.startsWith('node:')) return false;
        packages.add(target);
        return !(target in { ...its.dependencies, ...(packages === used.tests && its.devDependencies) });
      });
    });
    expect(wrong).toEqual([]);
    expect(Object.keys(its.dependencies)).toEqual([...used.product].toSorted());
    const known = { ...ours.dependencies, ...ours.devDependencies };
    expect(known).toMatchObject({ ...its.dependencies, ...its.devDependencies });
  });
});

/** Where days and times are read or written otherwise than by `instantOf`, `isDay`, `timeText` and `dayText`, and why. */
const otherTimes: Readonly<Record<string, string>> = {
  'handlers/answers/json-bytes.ts': 'It writes instants that were checked, as bytes.',
  'handlers/answers/shown-times.ts': 'It is timeText.',
  'handlers/check/bucket-client.ts': 'The time of an HTTP header.',
  'handlers/check/certificate.ts': 'The time of a certificate.',
  'handlers/documents/signing/asn1.ts': 'The times of ASN.1.',
  'handlers/ingest/scalars.ts': 'A day with the midnight that senders write behind it.',
  'handlers/runtime/day.ts': 'It counts from day to day.',
  'handlers/runtime/internal-listeners.ts': 'The control clock says where it stands.',
  'handlers/storage/aws-signature.ts': 'The times of AWS.',
};

test('days and times of the interface are read and written in one place (D-2)', () => {
  const reading = /\.toISOString\(|\bDate\.parse\(|\\d\{4\}-/;
  const others = server.filter((file) => reading.test(text(file)));
  expect(others.filter((file) => !Object.hasOwn(otherTimes, file))).toEqual([]);
});

/**
 * Every use of rows that no permission profile narrows, by the reason why it may. A new one is a decision: prefer
 * `caller.employees`, `caller.documents` and the like, which show what the caller may see and nothing else.
 */
const unnarrowedByReason: Readonly<Record<string, readonly string[]>> = {
  'The row was found among those that the caller sees, and is written.': [
    'documents/create/write.ts: documents',
    'documents/workflow/change.ts: documents',
    'files/confirmFile.ts: files',
    'files/reserveFile.ts: files',
    'storage/uploads.ts: files',
    'webhook_endpoints/createWebhookEndpoint.ts: webhook_endpoints',
    'webhook_endpoints/deleteWebhookEndpoint.ts: webhook_endpoints',
  ],
  'Everybody in the tenant sees them.': [
    'documents/create/creation.ts: organizations',
    'login_methods/listLoginMethods.ts: login_methods',
  ],
  'It is a version of a template that the caller sees.': [
    'document_templates/getDocumentTemplate.ts: document_template_versions',
    'documents/create/creation.ts: document_template_versions',
  ],
  'An expansion shows what a visible employee refers to; redaction applies to it.': [
    'employees/view.ts: departments',
    'employees/view.ts: employees',
    'employees/view.ts: job_titles',
    'employees/view.ts: persons',
  ],
  'Whoever acts or is chosen is known by an id; only whether it has left comes from it, and who manages the initiator.':
    ['documents/workflow/change.ts: employees'],
  "It is the owner's own employee.": ['documents/create/creation.ts: employees'],
  'The signer is known by the slot; nothing of it is shown.': [
    'documents/signing/slot-signature.ts: accepted_signatures',
    'documents/signing/slot-signature.ts: employees',
    'documents/signing/slot-signature.ts: persons',
    'documents/signing/slot-signature.ts: trust_anchors',
  ],
  'Nothing but a number, or that the row exists, comes from it.': ['documents/createDocument.ts: documents'],
  'The caller sees none of these rows.': [
    'ingest/accept.ts: ingest_chunks',
    'ingest/accept.ts: ingest_requests',
    'ingest/accept.ts: ingest_sequences',
    'storage/objects.ts: unclaimed_objects',
  ],
};

test('every use of rows that are not limited by a permission profile has a reason', () => {
  const used = server.flatMap((file) =>
    [...text(file).matchAll(/\binTenant\('(\w+)'\)/g)].map(([, name]) => `${file.replace('handlers/', '')}: ${name}`),
  );
  expect([...new Set(used)].toSorted()).toEqual(Object.values(unnarrowedByReason).flat().toSorted());
  const others = product.filter((file) => isOfTag(file) && /\binTenant\((?!')/.test(text(file)));
  expect(others).toEqual([]);
});

/**
 * Every use of rows that no tenant limits, by the reason why it may; what stands twice is used twice. A new one is a
 * decision: prefer `ofTenant`, which adds the tenant to each filter and refuses rows of another one.
 */
const acrossTenantsByReason: Readonly<Record<string, readonly string[]>> = {
  "They are handed to what limits them to the caller's tenant.": [
    'access/caller.ts: document_categories, document_templates, document_types, documents, employees, files, webhook_endpoints',
  ],
  'It is how the tenant becomes known.': ['access/keys.ts: api_keys', 'webhooks/deliver.ts: webhook_endpoints'],
  'They belong to no tenant, or are tenants.': [
    'check/database.ts: rate_limits',
    'check/deployment.ts: deployment_secrets',
    'check/files.ts: deployment_secrets',
    'check/store.ts: store_versions',
    'check/terminator.ts: rate_limits, rate_limits',
    'data/token-keys.ts: deployment_secrets, deployment_secrets',
    'employees/write/advance-statuses.ts: tenants, tenants',
    'employees/write/tenant-flag.ts: tenants',
    'ingest/apply/apply-ingest.ts: tenants',
    'prepare-store.ts: store_versions, store_versions, store_versions',
    'leaving/tenant.ts: tenants, rate_limits',
    'process.ts: rate_limits, rate_limits',
    'jobs/process-agreement.ts: processes, processes',
    'webhooks/attempt.ts: tenants',
    'webhooks/relay-events.ts: tenants',
  ],
  'A worker finds by it what there is to do for every tenant.': [
    'employees/write/advance-statuses.ts: employees',
    'employees/write/persons.ts: persons',
    'files/stored-files.ts: documents, files, unclaimed_objects',
    'files/sweep-files.ts: files, unclaimed_objects',
    'ingest/apply/apply-ingest.ts: ingest_requests',
    'ingest/sweep-ingest.ts: ingest_chunks, ingest_requests, ingest_requests',
    'webhooks/deliver.ts: deliveries',
    'webhooks/schedule.ts: deliveries',
    'webhooks/relay-events.ts: db',
  ],
  'They are counted for the metrics, which show numbers and ages only.': [
    'backlog.ts: db, db, deliveries, ingest_requests, ingest_requests, webhook_endpoints',
  ],
  'One command for rows of many tenants; a write names the tenant of each, or ids that a delivery names.': [
    'employees/write/advance-statuses.ts: employees',
    'webhooks/attempt.ts: deliveries, webhook_endpoints, webhook_endpoints, webhook_endpoints',
    'webhooks/claim.ts: deliveries, deliveries',
    'webhooks/schedule.ts: deliveries',
    'webhooks/relay-events.ts: db, deliveries, webhook_endpoints',
  ],
  'The filter names the tenant, or a request that was found so and the lease on it.': [
    'leaving/tenant.ts: deliveries',
    'ingest/apply/lease.ts: ingest_requests, ingest_requests, ingest_requests, ingest_requests, ingest_requests, ingest_requests',
    'webhooks/claim.ts: deliveries',
  ],
  'The id is that of the admitted key, or made of it.': [
    'http/dispatch.ts: idempotency_claims',
    'process.ts: api_keys, refused_calls',
  ],
  'It is about the whole database: its indexes, the jobs of Agenda.': [
    'check/deployment.ts: db',
    'check/store.ts: db',
    'data/store.ts: db',
    'leaving/tenant.ts: db',
    'prepare-store.ts: db',
    'jobs/scheduler.ts: db, db',
  ],
};

/**
 * Every file of the server that parses JSON, by the reason why nothing in it takes long. What is parsed may be anything to
 * the compiler, so a new place is a decision: prefer `readJson`, whose value `walk` has gone through.
 */
const parsesByReason: Readonly<Record<string, readonly string[]>> = {
  'It is the one reader of bodies.': ['http/json-body.ts', 'http/raw-json.ts'],
  'The service wrote it, and what others hand back is signed or encrypted.': [
    'data/page.ts',
    'document_templates/view.ts',
    'documents/templates/content.ts',
    'documents/templates/schema.ts',
    'ingest/apply/apply-ingest.ts',
    'ingest/record-columns.ts',
    'ingest/ledger.ts',
    'leaving/ingest-traces.ts',
    'leaving/person-copy.ts',
    'leaving/person-documents.ts',
    'leaving/person-values.ts',
    'runtime/version.ts',
    'storage/aws-signature.ts',
  ],
  'It comes from an operator.': ['runtime/internal-listeners.ts'],
};

test('every file that parses JSON has a reason, and only the walk makes a walked value', () => {
  const named = (pattern: RegExp) =>
    server.filter((file) => pattern.test(text(file))).map((file) => file.replace('handlers/', ''));
  expect(named(/\bJSON\.parse\(/)).toEqual(Object.values(parsesByReason).flat().toSorted());
  expect(named(/\bas (?:unknown as )?WalkedValue\b/)).toEqual(['http/walk.ts']);
});

const collectionFolder = 'handlers/data/collections/';
const collectionNames = new Set(
  files.filter((file) => file.startsWith(collectionFolder)).map((file) => basename(file, '.ts')),
);

/** Uses of collections, and of the database, that are not given to `ofTenant` at once. */
function usesAcrossTenants(file: string): string[] {
  const uses = text(file).matchAll(/(?<!\bofTenant\(\s*)\bstore(?:\.(db)\s*\.collection\b|\.([a-z_]+)\b|(\[))/g);
  return [...uses].flatMap(([, db, name = '', index]) =>
    db || index || collectionNames.has(name) ? [`${file.replace('handlers/', '')}: ${db ?? index ?? name}`] : [],
  );
}

test('every use of rows that no tenant limits has a reason', () => {
  const used = server.flatMap(usesAcrossTenants);
  const listed = Object.values(acrossTenantsByReason).flatMap((entries) =>
    entries.flatMap((entry) => {
      const [file = '', names = ''] = entry.split(': ');
      return names.split(', ').map((name) => `${file}: ${name}`);
    }),
  );
  expect(used.toSorted()).toEqual(listed.toSorted());
  const takenApart = server.filter((file) => /\}\s*=\s*[\w.]*\bstore;/.test(text(file)));
  expect(takenApart).toEqual([]);
});

describe('where things are', () => {
  test('every operation has a file of its own, named after it, unless it is marked as not built', () => {
    const index = text('handlers/index.ts');
    const missing = Object.values(operations)
      .filter(({ operationId }) => !new RegExp(`\\b${operationId}: notBuilt\\b`).test(index))
      .filter(({ tag, operationId }) => !existsSync(join(root, `handlers/${tag}/${operationId}.ts`)))
      .map(({ tag, operationId }) => `handlers/${tag}/${operationId}.ts`);
    expect(missing).toEqual([]);
  });

  test('every collection has a file of its own, which the store knows', () => {
    const own = files.filter((file) => file.startsWith(collectionFolder));
    const known = importsOf('handlers/data/store.ts').filter((file) => own.includes(file));
    expect(known.toSorted()).toEqual(own.toSorted());
  });

  test('notBuilt is used only in the map of handlers', () => {
    const users = server.filter((file) => text(file).includes('notBuilt'));
    expect(users.filter((file) => !['handlers/index.ts', 'handlers/http/handler.ts'].includes(file))).toEqual([]);
  });

  test('the top level has only the agreed entries', () => {
    const top = new Set(files.map((file) => file.split('/')[0]).filter((name) => !name?.startsWith('.')));
    const agreed = [
      'package.json',
      'tsconfig.json',
      'openapi.yaml',
      'generated',
      'handlers',
      'client',
      'conformance',
      'load',
      'scripts',
      'deploy',
      'README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
      'LICENSE',
      'docs',
      'package-lock.json',
      'biome.json',
      'jest.config.js',
      'redocly.yaml',
    ];
    expect([...top].filter((name) => !agreed.includes(name as string))).toEqual([]);
  });

  test('programs end in one place, where their output is written first', () => {
    const mayEnd: Readonly<Record<string, string>> = {
      'scripts/kit/ending.ts': 'the place',
      'client/src/cli/bin.ts': 'is a package, and writes its output first, too',
      'scripts/run.mjs': 'runs before anything is installed, and prints one sentence',
      'handlers/main.ts': 'imports no script, and writes its output first, too',
      'conformance/program.mjs': 'is too old for everything else, and prints one sentence',
      'scripts/embedded-db/main.ts': 'is a package, and prints lines that fit into every pipe',
      'scripts/lab/bench/peers/answers.ts': 'prints one line, which has been read when it ends',
      'scripts/kit/jest/environment.ts': 'restores the function that a test has replaced',
    };
    const ends = product.filter((file) => /\bprocess\.exit(Code)?\b/.test(text(file)));
    expect(ends.toSorted()).toEqual(Object.keys(mayEnd).toSorted());
  });

  test('what a library or Node made is not changed: no method of a class, no switch of V8', () => {
    const ways = /\.prototype\.\w+ =[^=]|\b(setFlagsFromString|syncBuiltinESMExports)\(/;
    expect(sources.filter((file) => ways.test(text(file)))).toEqual([]);
  });

  test('time comes from one place', () => {
    const wrong = server.filter(
      (file) =>
        file !== 'handlers/runtime/clock.ts' && /\bDate\.now\(\)|\bnew Date\(\)|\btimeOrigin\b/.test(text(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('outbound connections are opened in one place', () => {
    // The client of the S3 service and control clocks connect only to addresses that the deployment configured. The
    // check of a deployment calls what its operator names.
    const mayConnect =
      /^handlers\/(check\/|webhooks\/outbound\/|storage\/(s3|presign)\.ts$|runtime\/control-clock-peers\.ts$)/;
    const ways: readonly RegExp[] = [
      /from '(node:)?(undici|dns|dns\/promises|https|http2|tls|dgram|inspector|axios|got|agent-base|ws)'/,
      /from '@aws-sdk\//,
      // From these two modules only servers and types are allowed.
      /import (?!type )[^;]*\b(connect|createConnection|request|get|Agent|Socket as \w+)\b[^;]*from 'node:(net|http)'/,
      /import \* as \w+ from 'node:(net|http)'|import \w+ from 'node:(net|http)'/,
      /(?<![.\w])fetch\(|\bnew (WebSocket|EventSource|XMLHttpRequest)\b|\bnew Socket\(/,
      /\bimport\((?!'\.{1,2}\/)/,
    ];
    const connects = (source: string) => ways.some((way) => way.test(source));
    const wrong = server.filter((file) => !mayConnect.test(file) && connects(text(file)));
    expect(wrong).toEqual([]);
    const caught = [
      "import { request } from 'undici';",
      "import { lookup } from 'node:dns/promises';",
      "import tls from 'tls';",
      "import { createServer, get } from 'node:http';",
      "import { connect } from 'node:net';",
      'await fetch(url)',
      "import * as net from 'node:net';",
      "await import('undici')",
      'new WebSocket(url)',
      'new Socket()',
    ];
    expect(caught.filter((source) => !connects(source))).toEqual([]);
    expect(connects("await import('./storage/s3.ts')")).toBe(false);
    const free = ["import { createServer, type Socket } from 'node:http';", 'await db.fetch(1)', 'prefetch(url)'];
    expect(free.filter(connects)).toEqual([]);
  });
});

/** The names of the types that a source declares. */
const typesOf = (source: string): string[] =>
  [...source.matchAll(/^[ \t]*(?:export )?(?:abstract )?(?:interface|type|class) (\w+)\b(?! as |,)/gm)].map(
    ([, name = '']) => name,
  );

/** Words that end like participles and are nouns. */
const notParticiples: readonly string[] = ['Deed'];

describe('how things look', () => {
  test('the names of types are nouns with their subject, not bare participles', () => {
    const participle =
      /^(\w+ed|Been|Begun|Broken|Chosen|Cut|Done|Found|Given|Gone|Got|Heard|Held|Hidden|Kept|Known|Left|Lost|Made|Meant|Met|Put|Read|Said|Seen|Sent|Set|Shown|Sought|Spent|Taken|Thought|Told|Understood|Woken|Written)$/;
    const isBare = (name: string) => participle.test(name) && !/^[A-Z]\w*[A-Z]/.test(name);
    const wrong = sources.flatMap((file) =>
      typesOf(text(file))
        .filter((name) => isBare(name) && !notParticiples.includes(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(wrong.filter((line) => !line.startsWith('scripts/contract/generators/programs/'))).toEqual([]);
    expect(['Seen', 'Answered'].every(isBare)).toBe(true);
    expect(['SeenRow', 'Row', 'AnsweredRequest'].some(isBare)).toBe(false);
  });

  test('the name of a type means one thing in the server', () => {
    const places = new Map<string, string[]>();
    for (const file of server.filter((each) => each.endsWith('.ts'))) {
      for (const name of typesOf(text(file))) {
        places.set(name, [...(places.get(name) ?? []), file]);
      }
    }
    const wrong = [...places]
      .filter(([, found]) => found.length > 1)
      .map(([name, found]) => `${name}: ${found.join()}`);
    expect(wrong).toEqual([]);
  });

  test('a handler has at most 60 lines', () => {
    const long = Object.values(operations)
      .map(({ tag, operationId }) => `handlers/${tag}/${operationId}.ts`)
      .filter((file) => existsSync(join(root, file)) && lines(file) > 60);
    expect(long).toEqual([]);
  });

  test('no name contains Service, Manager, Helper or Util', () => {
    const wrong = product.filter(
      (file) =>
        /(service|manager|helper|util)s?\.[jt]s$/i.test(file) ||
        /\b(?:class|interface)\s+\w*(?:Service|Manager|Helper|Util)\b/.test(text(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('nothing is imported from outside the project or fetched from a named registry', () => {
    const registry =
      /\b(?:registry\.npmjs|registry\.yarnpkg|pypi\.org|crates\.io|proxy\.golang|repo\.maven|deb\.debian)/;
    const wrong = files.filter(
      (file) =>
        !/\.(png|ico|woff2?)$/.test(file) &&
        file !== 'scripts/architecture.test.ts' &&
        (registry.test(text(file)) || /\.\.\/shared\/(?:brief|decisions|design|reference)/.test(text(file))),
    );
    expect(wrong).toEqual([]);
  });
});

/** The pages, and what they link to. */
const pages = files.filter((file) => file.endsWith('.md'));

/** The text of a page without blocks of code. */
const prose = (page: string) => text(page).replaceAll(/^ *```[\s\S]*?^ *```/gm, '');

/** The anchor of each heading, as the hosts of repositories make them. */
const anchorsOf = (page: string): string[] =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The targets of the links of a page, from the root; an anchor of the same page follows the page's name. */
function linksOf(page: string): { readonly file: string; readonly anchor: string }[] {
  const targets = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { file: path === '' ? page : join(dirname(page), path), anchor };
    });
}

describe('pages', () => {
  test('every link leads to a file, and to a heading of it', () => {
    const wrong = pages.flatMap((page) =>
      linksOf(page)
        .filter(({ file, anchor }) => {
          if (!existsSync(join(root, file))) return true;
          return anchor !== '' && !anchorsOf(file).includes(anchor);
        })
        .map(({ file, anchor }) => `${page}: ${file}#${anchor}`),
    );
    expect(wrong).toEqual([]);
  });

  test('every file that a page names by its path exists, but for former and invented ones', () => {
    const rooms = /^(?:client|conformance|deploy|docs|generated|handlers|load|scripts)\/[\w./-]*\w\/?$/;
    const wrong = pages
      .filter((page) => !['CHANGELOG.md', 'docs/adding-an-operation.md'].includes(page))
      .flatMap((page) =>
        [...prose(page).matchAll(/`([^`\s]+)`/g)]
          .map(([, name = '']) => name)
          .filter((name) => rooms.test(name) && !/VERSION/.test(name) && !existsSync(join(root, name)))
          .map((name) => `${page}: ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  test('every command that a page names is a script of package.json', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Readonly<Record<string, string>> };
    const wrong = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        [...text(page).matchAll(/npm run (?:-s )?([\w:-]+)/g)]
          .filter(([, name = '']) => scripts[name] === undefined)
          .map(([command]) => `${page}: ${command}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the first screen of README.md leads to every page of docs/', () => {
    const screen = text('README.md').split('\n').slice(0, 40).join('\n');
    const unlinked = pages.filter((page) => page.startsWith('docs/') && !screen.includes(`](${page})`));
    expect(unlinked).toEqual([]);
  });

  test('the README of a room has at most 100 lines; CONTRIBUTING.md has at most 270', () => {
    const longest = (page: string) => (/^[^/]+\/.*README\.md$/.test(page) ? 100 : 270);
    const long = pages.filter((page) => /README|CONTRIBUTING/.test(page) && lines(page) > longest(page));
    expect(long.map((page) => `${page}: ${lines(page)}`)).toEqual([]);
  });
});
