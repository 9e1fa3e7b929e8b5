/**
 * The package as an integrator gets it: packed, installed in an empty folder, compiled, and run against the service.
 * The step `client` of `npm test` runs it, with tools that are fetched once.
 */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../conformance/processes/leftovers.ts';
import { RunningProgram } from '../../conformance/processes/program.ts';
import { TestAuthority } from '../../scripts/testbed/receiver.ts';
import { employeeRow, type TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';

const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n';
const root = resolve(import.meta.dirname, '../..');
/** Holds Node 20, Deno, Bun, TypeScript 5, Fastify, publint and arethetypeswrong. */
const tools = join(process.env.CLIENT_TOOLS ?? '', 'node_modules');
const folder = temporaryFolder('client-package-');
const project = join(folder, 'project');
const packed = join(folder, 'developer-api-client-1.7.0.tgz');
const deployment = await testDeployment();
const bun = `@oven/bun-${process.platform}-${process.arch.replace('arm64', 'aarch64')}/bin/bun`;
/** How each runtime is called. */
const RUNTIMES = {
  'Node 20': [join(tools, `node-${process.platform}-${process.arch}/bin/node`)],
  'Node 24': [process.execPath],
  Deno: [process.execPath, join(tools, 'deno/bin.cjs'), 'run', '-A'],
  Bun: [join(tools, bun), 'run'],
} as const;

function never(what: string): never {
  throw new Error(`there is not ${what}`);
}

/** Runs a program to its end. @returns what it printed @throws Error with its output if it failed */
async function run(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const program = new RunningProgram([...argv], { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });
  const ending = await program.ended;
  if (ending !== 0) throw new Error(`${argv.join(' ')} ended with ${ending}\n${program.stdout}\n${program.stderr}`);
  return program.stdout;
}

beforeAll(async () => {
  await run(['npm', 'pack', '--silent', '--pack-destination', folder], join(root, 'client'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  await run(['npm', 'install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', packed], project);
  for (const name of ['walk.mjs', 'walk-esm.mjs', 'walk-cjs.cjs', 'compiles.ts']) {
    cpSync(join(import.meta.dirname, 'programs', name), join(project, name));
  }
});

describe('what is packed', () => {
  test('nothing but what is compiled, the manifest, the page and the license, without a dependency', async () => {
    const installed = join(project, 'node_modules');
    const lock = JSON.parse(readFileSync(join(installed, '.package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['node_modules/developer-api-client']);
    const [{ files, size, unpackedSize }] = JSON.parse(
      await run(['npm', 'pack', '--dry-run', '--json', '--ignore-scripts', packed], folder),
    );
    const others = files
      .map(({ path }: { path: string }) => path)
      .filter((path: string) => !/^dist\/(esm|cjs)\//.test(path));
    expect(others.sort()).toEqual(['README.md', 'dist/LICENSE', 'package.json']);
    // The page says 75 and 425 KB.
    expect([Math.round(size / 25_000), Math.round(unpackedSize / 25_000)]).toEqual([3, 17]);
  });

  test('every way to import it finds its code and its types', async () => {
    await run([process.execPath, join(tools, '@arethetypeswrong/cli/dist/index.js'), packed], folder);
    expect(await run([process.execPath, join(tools, 'publint/src/cli.js'), packed, '--strict'], folder)).toContain(
      'All good!',
    );
  });

  test('the main entry needs no module of Node', () => {
    for (const format of ['esm', 'cjs']) {
      const sources = join(project, 'node_modules/developer-api-client/dist', format, 'client/src');
      const read = (name: string) => readFileSync(join(sources, name), 'utf8');
      const seen = new Set(['index.js']);
      for (const name of seen) {
        expect(read(name)).not.toMatch(/['"]node:|\brequire\('(?!\.)|\bBuffer\b|\bprocess\b/);
        for (const [, next = ''] of read(name).matchAll(/['"]\.\/([\w.]+)['"]/g)) seen.add(next);
      }
      expect(seen.size).toBeGreaterThan(10);
    }
  });
});

describe('a strict program compiles', () => {
  const typescript7 = join(root, 'node_modules/typescript7/bin/tsc');

  test.each([
    ['TypeScript 5', join(tools, 'typescript/bin/tsc')],
    ['TypeScript 7', typescript7],
  ])('with what tsc --init of %s writes', async (name, tsc) => {
    const own = join(folder, name);
    mkdirSync(own);
    cpSync(project, own, { recursive: true });
    await run([process.execPath, tsc, '--init'], own);
    await run([process.execPath, tsc, '--noEmit'], own);
  });

  test('with each sample of the page', async () => {
    const page = readFileSync(join(root, 'client/README.md'), 'utf8');
    const samples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, sample = '']) => sample);
    expect(samples.length).toBeGreaterThan(3);
    const own = join(folder, 'samples');
    cpSync(project, own, { recursive: true });
    const given = readFileSync(join(import.meta.dirname, 'programs/given.ts'), 'utf8');
    for (const [i, sample] of samples.entries()) {
      writeFileSync(join(own, `sample-${i}.ts`), sample.includes('import ') ? sample : given + sample);
    }
    await run([process.execPath, typescript7, '--init'], own);
    await run([process.execPath, typescript7, '--noEmit'], own);
  });

  test('also where the types of packages are checked', async () => {
    const flags = ['--noEmit', '--ignoreConfig', '--strict', '--module', 'nodenext', '--skipLibCheck', 'false'];
    await run([process.execPath, typescript7, ...flags, 'compiles.ts'], project);
  });

  test('with the types of Express and Fastify', async () => {
    const own = join(folder, 'frameworks');
    mkdirSync(join(own, 'node_modules'), { recursive: true });
    cpSync(join(import.meta.dirname, 'programs/frameworks.ts'), join(own, 'frameworks.ts'));
    symlinkSync(join(project, 'node_modules/developer-api-client'), join(own, 'node_modules/developer-api-client'));
    symlinkSync(join(tools, 'fastify'), join(own, 'node_modules/fastify'));
    symlinkSync(join(root, 'node_modules/express'), join(own, 'node_modules/express'));
    symlinkSync(join(root, 'node_modules/@types'), join(own, 'node_modules/@types'));
    const flags = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--types',
      'node',
    ];
    await run([process.execPath, typescript7, ...flags, 'frameworks.ts'], own);
  });
});

describe('against the service', () => {
  let baseUrl = '';
  let tenant: TestTenant;
  let hooks = '';
  const authority = new TestAuthority();
  /** Hands deliveries on to the port of this machine that the path names. */
  const front = createServer(authority.server(['127.0.0.1']), async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = { 'Service-Signature': String(request.headers['service-signature']) };
    const answer = await fetch(`http://127.0.0.1:${request.url?.slice(1)}/`, {
      method: 'POST',
      headers,
      body: Buffer.concat(parts),
    });
    response.writeHead(answer.status).end();
  });

  beforeAll(async () => {
    await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
    const { port } = front.address() as AddressInfo;
    hooks = `https://127.0.0.1:${port}`;
    const authorityFile = join(folder, 'ca.pem');
    writeFileSync(authorityFile, authority.pem);
    const env = { WEBHOOK_ALLOW_NETWORKS: `127.0.0.1:${port}`, WEBHOOK_CA_FILE: authorityFile };
    baseUrl = (await deployment.start(env)).url;
    tenant = await deployment.tenant();
  });

  afterAll(() => {
    front.closeAllConnections();
    front.close();
  });

  /** A user with an employee. */
  async function owner() {
    const employee = await tenant.employee();
    const owner_id = await tenant.user({ employee_id: employee });
    return { employee, key: await tenant.key({ owner_id }) };
  }

  test.each([
    ['Node 20', 'walk-esm.mjs'],
    ['Node 20', 'walk-cjs.cjs'],
    ['Node 24', 'walk-esm.mjs'],
    ['Node 24', 'walk-cjs.cjs'],
    ['Deno', 'walk-esm.mjs'],
    ['Bun', 'walk-esm.mjs'],
  ] as const)('%s uploads, creates, approves, signs, downloads and verifies: %s', async (runtime, program) => {
    const [initiator, approver] = [await owner(), await owner()];
    const pdf = join(folder, `${runtime} ${program}.pdf`);
    // More than one piece, so that the progress shows.
    const bytes = PDF + ' '.repeat(300_000);
    writeFileSync(pdf, bytes);
    const given = {
      baseUrl,
      apiKey: initiator.key,
      approverKey: approver.key,
      initiator: initiator.employee,
      approver: approver.employee,
      type_id: await tenant.type(),
      hooks,
      pdf,
    };
    const said = await run([...RUNTIMES[runtime], program], project, { GIVEN: JSON.stringify(given) });
    expect(JSON.parse(said)).toEqual({
      filename: `${runtime} ${program}.pdf`,
      // Bun does not tell how far it is.
      progress: { pieces: runtime !== 'Bun', last: bytes.length },
      status: 'DOCUMENT_STATUS_COMPLETED',
      begins: '%PDF-',
      size: bytes.length,
      refusal: { isApiError: true, name: 'ApiError', reason: 'DOCUMENT.INVALID_STATUS_TRANSITION' },
      events: {
        answers: [
          { status_code: 400, error: '' },
          { status_code: 200, error: '' },
        ],
        events: ['webhook_endpoint.test'],
        faults: ['wrong signature'],
      },
      attempts: [200, 204, 400],
    });
  });

  test('the program of the page lists 10,500 employees in pages of 100, on each Node', async () => {
    const [, block = ''] =
      /<!-- program: employees -->\n+```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'client/README.md'), 'utf8')) ??
      [];
    await tenant.employee();
    const { persons, employees } = tenant.store;
    const many = 10_500 - (await employees.countDocuments({ tenant_id: tenant.id }));
    const { _id: _, ...person } = (await persons.findOne({ tenant_id: tenant.id })) ?? never('a person');
    const rows = Array.from({ length: many }, () => ({ ...person, _id: randomUUID() }));
    await persons.insertMany(rows);
    await employees.insertMany(rows.map(({ _id }) => employeeRow({ tenant_id: tenant.id, person_id: _id })));
    const lines = (['Node 20', 'Node 24'] as const).map(async (runtime) => {
      const file = join(project, `employees-${runtime}.mjs`);
      const filled = block.replace('YOUR_KEY', await tenant.key()).replace('http://127.0.0.1:8080', baseUrl);
      writeFileSync(file, filled);
      return (await run([...RUNTIMES[runtime], file], project)).trim().split('\n').at(-1);
    });
    expect(await Promise.all(lines)).toEqual(['10500 employees', '10500 employees']);
  });
});
