/** The tools that read the contract, as data: what each needs, what it makes, and how its client is compiled and run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../../kit/tools.ts';
import { capitalized } from '../generate/literal.ts';
import type { ContractOperation } from '../read.ts';
import { ROOT } from '../redocly.ts';
import { demand, fetchedPackages, kept, run } from './command.ts';

/** A program with its arguments. */
type Command = readonly string[];

/** What a tool gets for its work. */
export interface Bench {
  /** An empty folder of its own, in which its commands run. */
  readonly folder: string;
  /** The file of the contract for generators, that of the contract itself, and this as JSON. */
  readonly json: string;
  readonly yaml: string;
  readonly exact: string;
  /** The folders of what is installed for it, in the order of `installs`. */
  readonly installed: readonly string[];
}

/** Puts something into a folder outside the repository, once. @returns the folder */
type Install = (say: (text: string) => void) => Promise<string>;

export interface Tool {
  readonly name: string;
  readonly version: string;
  /** Whether it needs only Node, npm and no service, so that `npm run check` runs it. */
  readonly isQuick?: boolean;
  /** What must be on the PATH, beside Node. */
  readonly needs?: readonly string[];
  readonly installs?: readonly Install[];
  /** What was made and compiled, in a few words. */
  readonly makes: string;
  readonly compiled?: string;
  /** The programs that use the client: a file of `programs/`, where it belongs, and how it is run, if it is. */
  readonly programs?: readonly (readonly [file: string, to: string, argv?: Command])[];
  /** What makes the client and compiles it. */
  commands(bench: Bench): readonly Command[];
  /** What a line of the output says if a part of the client is lost. */
  readonly loss?: RegExp;
  /** A file that names every operation, and how it does so. */
  readonly lists?: readonly [file: string, nameOf: (operation: ContractOperation) => string];
}

const modules = join(ROOT, 'node_modules');
const node = process.execPath;

const npmPackages =
  (name: string, packages: readonly string[]): Install =>
  (say) =>
    fetchedPackages(name, packages, say);

const fromNpm = (name: string, version: string): Install => npmPackages(name, [`${name}@${version}`]);

const KUBB = '4.39.3';
const ZOD_CLIENT = '1.18.3';

const typeCheck = (program: string): Command => {
  const types = ['--types', 'node', '--typeRoots', join(modules, '@types')];
  const form = ['--target', 'es2024', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const flags = ['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions', '--ignoreConfig'];
  return [node, join(modules, 'typescript7/bin/tsc'), ...flags, ...form, ...types, program];
};

const inNode: readonly Tool[] = [
  {
    name: 'openapi-typescript',
    version: JSON.parse(readFileSync(join(modules, 'openapi-typescript/package.json'), 'utf8')).version,
    isQuick: true,
    makes: 'types, from either file',
    compiled: 'yes, with a program',
    programs: [['openapi-typescript.ts', 'program.ts']],
    commands: ({ yaml, json }) =>
      [yaml, json].flatMap((source) => [
        [node, join(modules, 'openapi-typescript/bin/cli.js'), source, '--output', 'client.ts'],
        typeCheck('program.ts'),
      ]),
  },
  {
    name: 'openapi-to-postmanv2',
    version: '6.3.3',
    isQuick: true,
    installs: [fromNpm('openapi-to-postmanv2', '6.3.3')],
    makes: 'a collection of all operations',
    commands: ({ json, installed: [packages = ''] }) => [
      [node, join(packages, 'openapi-to-postmanv2/bin/openapi2postmanv2.js'), '-s', json, '-o', 'collection.json'],
    ],
    lists: ['collection.json', ({ source }) => JSON.stringify(source.summary)],
  },
  {
    name: 'orval',
    version: '8.38.0',
    installs: [fromNpm('orval', '8.38.0')],
    makes: 'a client, from either file',
    compiled: 'yes, with a program',
    programs: [
      ['orval.config.mjs', 'orval.config.mjs'],
      ['orval.ts', 'yaml/program.ts', [node, 'yaml/program.ts']],
      ['orval.ts', 'json/program.ts', [node, 'json/program.ts']],
    ],
    commands: ({ installed: [packages = ''] }) => [
      [node, join(packages, 'orval/dist/bin/orval.mjs'), '--config', 'orval.config.mjs'],
      typeCheck('yaml/program.ts'),
      typeCheck('json/program.ts'),
    ],
  },
  {
    name: 'kubb',
    version: KUBB,
    installs: [
      npmPackages(
        'kubb',
        ['cli', 'core', 'plugin-oas', 'plugin-ts', 'plugin-client'].map((part) => `@kubb/${part}@${KUBB}`),
      ),
    ],
    makes: 'a client',
    compiled: 'yes',
    programs: [['kubb.config.mjs', 'kubb.config.mjs']],
    commands: ({ installed: [packages = ''] }) => [
      ['ln', '-s', packages, 'node_modules'],
      [node, join(packages, '@kubb/cli/bin/kubb.cjs'), 'generate', '--config', 'kubb.config.mjs'],
      typeCheck('client/index.ts'),
    ],
    loss: /Failed:|stack size exceeded/,
    lists: ['client/index.ts', ({ operationId }) => `clients/${operationId}.ts`],
  },
  {
    name: 'openapi-zod-client',
    version: ZOD_CLIENT,
    installs: [
      npmPackages('openapi-zod-client', [`openapi-zod-client@${ZOD_CLIENT}`, 'zod@3', '@zodios/core@10', 'axios@1']),
    ],
    makes: 'a client, with schemas of zod',
    compiled: 'yes',
    commands: ({ json, installed: [packages = ''] }) => [
      ['ln', '-s', packages, 'node_modules'],
      [node, join(packages, 'openapi-zod-client/bin.js'), json, '-o', 'client.ts'],
      typeCheck('client.ts'),
    ],
    lists: ['client.ts', ({ path }) => `"${path.replaceAll(/\{(\w+)\}/g, ':$1')}"`],
  },
];

const PYYAML = '6.0.3';
const PYTHON_CLIENT = '0.29.1';
/** The packages that the client of openapi-generator needs, as its own list states, are among them. */
const PACKAGES = [
  `PyYAML==${PYYAML}`,
  `openapi-python-client==${PYTHON_CLIENT}`,
  'urllib3>=2.1',
  'python-dateutil>=2.8.2',
  'pydantic>=2.11',
  'typing-extensions>=4.7.1',
];
const pip: Install = (say) =>
  kept('generators-python', PACKAGES, async (into) => {
    demand('python3');
    say('Fetching openapi-python-client and PyYAML, once …');
    const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--target', into];
    await run('python3', ['-m', 'pip', 'install', ...flags, ...PACKAGES]);
  });
const SAME =
  'import json, sys, yaml; read = [r(open(f, encoding="utf-8")) for r, f in zip((yaml.safe_load, json.load), sys.argv[1:])]; sys.exit(read[0] != read[1] and "PyYAML reads openapi.yaml differently from a reader of YAML 1.2")';

const inPython: readonly Tool[] = [
  {
    name: 'PyYAML',
    version: PYYAML,
    needs: ['python3'],
    installs: [pip],
    makes: 'openapi.yaml reads the same in YAML 1.1 and 1.2',
    commands: ({ yaml, exact }) => [['python3', '-c', SAME, yaml, exact]],
  },
  {
    name: 'openapi-python-client',
    version: PYTHON_CLIENT,
    needs: ['python3'],
    installs: [pip],
    makes: 'a client, without a warning',
    compiled: 'yes',
    programs: [
      ['openapi-python-client.py', 'program.py', ['python3', 'program.py']],
      // Its formatter is not needed.
      ['openapi-python-client.yaml', 'config.yaml'],
    ],
    commands: ({ json }) => [
      'python3 -m openapi_python_client generate --output-path client --config config.yaml --fail-on-warning --path'
        .split(' ')
        .concat(json),
      ['python3', '-m', 'compileall', '-q', 'client'],
    ],
    // It leaves out what it does not understand, and only prints a warning.
    loss: /^(?!Generating |.*ruff is not in PATH|\s*Skipping Integration|Warning\(s\) encountered|If you believe )\s*\S/,
  },
];

const GO_PROGRAM = 'program/main.go';
const inModule: readonly Command[] = [
  ['go', 'mod', 'tidy'],
  ['go', 'vet', './...'],
  ['go', 'build', '-o', 'listed', './program'],
];
const CONTENT = 'yes, and go vet is content';

/** A generator that Go itself fetches. The client is the package `api`. @param runtime the module that it needs */
function goTool(path: string, version: string, runtime: string, client: string, argv: readonly string[]): Tool {
  const name = path.split('/').at(-1) ?? '';
  return {
    name,
    version,
    needs: ['go'],
    installs: [
      (say) =>
        kept(name, [path, version], async (into) => {
          demand('go');
          say(`Building ${name}, once …`);
          await run('go', ['install', `${path}@v${version}`], { env: { GOBIN: into } });
        }),
    ],
    makes: 'a client of all operations',
    compiled: CONTENT,
    programs: [[`${name}.go`, GO_PROGRAM, ['./listed']]],
    commands: ({ json, installed: [bin = ''] }) => [
      ['mkdir', 'api'],
      [join(bin, name), ...argv, json],
      ['go', 'mod', 'init', 'example.com/client'],
      ['go', 'mod', 'edit', '-require', runtime],
      ...inModule,
    ],
    lists: [client, ({ operationId }) => `) ${capitalized(operationId)}(ctx `],
  };
}

const inGo: readonly Tool[] = [
  goTool(
    'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
    '2.8.2',
    'github.com/oapi-codegen/runtime@v1.9.0',
    'api/client.gen.go',
    ['-generate', 'types,client', '-package', 'api', '-o', 'api/client.gen.go'],
  ),
  goTool('github.com/ogen-go/ogen/cmd/ogen', '1.24.0', 'github.com/ogen-go/ogen@v1.24.0', 'api/oas_client_gen.go', [
    '--target',
    'api',
    '--package',
    'api',
  ]),
];

const JAVA_VERSION = '7.23.0';
const ARTIFACT = `org.openapitools:openapi-generator-cli:${JAVA_VERSION}`;
const maven: Install = (say) =>
  kept('openapi-generator', [ARTIFACT], async (into) => {
    demand('java', 'mvn');
    say('Fetching openapi-generator, once; 32 MB …');
    const goal = ['dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${into}`];
    await run('mvn', ['-q', '-B', ...goal], { cwd: into });
  });
/** Makes clients without tests and without documentation pages. */
const PARTS = 'models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false';

/** A client of openapi-generator, a Java program. */
const javaTool = (
  language: string,
  {
    flags = [],
    commands = [],
    ...more
  }: Partial<Omit<Tool, 'commands'>> & { flags?: Command; commands?: readonly Command[] },
): Tool => ({
  name: `openapi-generator ${language}`,
  version: JAVA_VERSION,
  installs: [maven],
  makes: 'a client',
  ...more,
  needs: ['java', 'mvn', ...(more.needs ?? [])],
  commands: ({ json, installed: [jar = ''] }) => [
    ['java', '-jar', join(jar, `openapi-generator-cli-${JAVA_VERSION}.jar`), 'generate', '-i', json]
      .concat('-g', language, '-o', '.', '--global-property', PARTS)
      .concat(flags),
    ...commands,
  ],
  // What it prints about a file that it writes twice, so that a part of the client is lost.
  loss: /^(?!.*INFO).*(?:Duplicate file path|Could not|Exception|ERROR)/,
});

const hasDotnet = onPath('dotnet', process.env) !== undefined;

const inJava: readonly Tool[] = [
  javaTool('java', {
    compiled: 'yes, by Maven',
    programs: [
      ['Java.java', 'src/main/java/Java.java', ['sh', '-c', 'java -cp "target/classes:$(cat classpath.txt)" Java']],
    ],
    commands: ['mvn -q -B -DskipTests compile dependency:build-classpath -Dmdep.outputFile=classpath.txt'.split(' ')],
  }),
  javaTool('go', {
    needs: ['go'],
    compiled: CONTENT,
    programs: [['go.go', GO_PROGRAM, ['./listed']]],
    flags: ['--git-host', 'example.com', '--git-user-id', 'developer', '--git-repo-id', 'client'],
    commands: inModule,
  }),
  javaTool('python', {
    needs: ['python3'],
    installs: [maven, pip],
    compiled: 'yes',
    programs: [['python.py', 'program.py', ['python3', 'program.py']]],
    commands: [['python3', '-m', 'compileall', '-q', 'openapi_client']],
  }),
  javaTool('typescript-fetch', {
    compiled: 'yes',
    // Its checks of what arrives do not compile in strict TypeScript.
    flags: ['--additional-properties', 'withoutRuntimeChecks=true'],
    commands: [typeCheck('index.ts')],
  }),
  javaTool('csharp', {
    compiled: hasDotnet ? 'yes, by dotnet build' : 'not tried: dotnet is not on the PATH',
    commands: hasDotnet ? [['dotnet', 'build']] : [],
  }),
];

/** All tools, in the order of the table. */
export const tools: readonly Tool[] = [...inNode, ...inPython, ...inGo, ...inJava];
