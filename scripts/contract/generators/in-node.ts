/** Tools that need only Node and npm: readers of YAML 1.1, openapi-typescript, Postman's converter, orval. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { parse } from 'yaml';
import { operationsOf, parseContract } from '../read.ts';
import { otherReadings } from '../yaml-versions.ts';
import { copyProgram, fetchedPackages, run } from './command.ts';
import { type Generator, type Report, StageFailed } from './generator.ts';

const root = join(import.meta.dirname, '../../..');
const tsc = join(root, 'node_modules/typescript7/bin/tsc');

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** A report of stages that succeeded; `–` means that there is no such stage. */
export function right(version: string, made: string, compiled = '–', ran = '–'): Report {
  return { version, made, compiled, ran };
}

/** Type-checks a folder strictly. @throws StageFailed with the errors */
async function typeCheck(folder: string): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['program.ts'] }));
  await run(process.execPath, [tsc, '-p', folder]);
}

const yaml11: Generator = {
  name: 'yaml',
  isQuick: true,
  needsService: false,
  async run({ yaml }) {
    const text = readFileSync(yaml, 'utf8');
    const [other] = otherReadings(text);
    if (other !== undefined) throw new StageFailed(other);
    if (!isDeepStrictEqual(parse(text, { version: '1.1' }), parse(text)))
      throw new StageFailed('means something else in YAML 1.1');
    return right(versionOf('yaml'), 'openapi.yaml reads the same in YAML 1.1 and 1.2');
  },
};

const openapiTypescript: Generator = {
  name: 'openapi-typescript',
  isQuick: true,
  needsService: false,
  async run({ folder, json, yaml }) {
    const cli = join(root, 'node_modules/openapi-typescript/bin/cli.js');
    copyProgram('openapi-typescript.ts', join(folder, 'program.ts'));
    for (const source of [yaml, json]) {
      // In a folder of its own: in ours it would apply redocly.yaml, the project's own rules.
      await run(process.execPath, [cli, source, '--output', 'client.ts'], { cwd: folder });
      await typeCheck(folder);
    }
    return right(versionOf('openapi-typescript'), 'types, from either file', 'yes, with a program');
  },
};

interface PostmanItem {
  readonly item?: readonly PostmanItem[];
  readonly request?: { readonly method: string; readonly url: { readonly path: readonly string[] } };
}

interface Conversion {
  readonly result: boolean;
  readonly reason?: string;
  readonly output?: readonly { readonly data: PostmanItem }[];
}

const POSTMAN = 'openapi-to-postmanv2@6.3.3';

const postman: Generator = {
  name: 'openapi-to-postmanv2',
  isQuick: true,
  needsService: false,
  async run({ json, say }) {
    const packages = await fetchedPackages('postman', [POSTMAN], say);
    const { convertV2 } = createRequire(import.meta.url)(join(packages, 'openapi-to-postmanv2')) as {
      convertV2(input: object, options: object, done: (error: Error | null, result: Conversion) => void): void;
    };
    const data = readFileSync(json, 'utf8');
    const { result, reason, output } = await promisify(convertV2)({ type: 'string', data }, {});
    if (!result) throw new StageFailed(reason ?? 'no reason is given');
    const found = requestsOf(output?.[0]?.data ?? {}).sort();
    const due = operationsOf(parseContract(data, json)).map(
      ({ method, path }) => `${method.toUpperCase()} ${path.slice(1).replace(/\{(\w+)\}/g, ':$1')}`,
    );
    if (!isDeepStrictEqual(found, due.sort())) throw new StageFailed(`makes ${found.join(', ')}`);
    return right(POSTMAN.split('@')[1] ?? '', `a collection of all ${due.length} operations`);
  },
};

function requestsOf({ item = [], request }: PostmanItem): string[] {
  const own = request === undefined ? [] : [`${request.method} ${request.url.path.join('/')}`];
  return [...own, ...item.flatMap(requestsOf)];
}

const ORVAL = 'orval@8.38.0';

const orval: Generator = {
  name: 'orval',
  isQuick: false,
  needsService: true,
  async run({ folder, json, yaml, url, say, judge }) {
    const packages = await fetchedPackages('orval', [ORVAL], say);
    copyProgram('orval.ts', join(folder, 'program.ts'));
    let ran = '';
    for (const source of [yaml, json]) {
      const output = { target: './client.ts', schemas: './model', client: 'fetch', baseUrl: url };
      const config = { api: { input: source, output } };
      rmSync(join(folder, 'model'), { recursive: true, force: true });
      writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)};`);
      const cli = join(packages, 'orval/dist/bin/orval.mjs');
      await run(process.execPath, [cli, '--config', 'orval.config.mjs'], { cwd: folder });
      await typeCheck(folder);
      ran = await judge(process.execPath, ['program.ts'], { cwd: folder });
    }
    return right(ORVAL.split('@')[1] ?? '', 'a client, from either file', 'yes, with a program', ran);
  },
};

/** The tools that need only Node. */
export const inNode: readonly Generator[] = [yaml11, openapiTypescript, postman, orval];
