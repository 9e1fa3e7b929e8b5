/** Tools that pip fetches: PyYAML, which reads YAML 1.1, and openapi-python-client. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { copyProgram, demand, kept, run } from './command.ts';
import { type Bench, type Generator, StageFailed } from './generator.ts';
import { right } from './in-node.ts';

const PYYAML = 'PyYAML==6.0.3';
const CLIENT = 'openapi-python-client==0.29.1';
/** The packages that the client of openapi-generator needs, as its own list states. */
const NEEDED = ['urllib3>=2.1', 'python-dateutil>=2.8.2', 'pydantic>=2.11', 'typing-extensions>=4.7.1'];
const PACKAGES = [PYYAML, CLIENT, ...NEEDED];

/** The folder with these packages. @throws ToolMissing if there is no Python */
export async function pythonWith(say: Bench['say']): Promise<string> {
  demand('python3');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  return kept('generators-python', PACKAGES, async (into) => {
    say('Fetching openapi-python-client and PyYAML, once …');
    await run('python3', [...pip, '--target', into, ...PACKAGES]);
  });
}

/** The environment in which Python finds the packages and the client. */
export function pythonPath(packages: string, ...more: readonly string[]): Record<string, string> {
  return { PYTHONPATH: [...more, packages].join(':'), PYTHONDONTWRITEBYTECODE: '1' };
}

const AS_JSON = 'import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1], encoding="utf-8")), sys.stdout)';

const pyYaml: Generator = {
  name: 'PyYAML',
  isQuick: false,
  needsService: false,
  async run({ yaml, say }) {
    const packages = await pythonWith(say);
    const read = JSON.parse(await run('python3', ['-c', AS_JSON, yaml], { env: pythonPath(packages) }));
    if (!isDeepStrictEqual(read, parse(readFileSync(yaml, 'utf8')))) {
      throw new StageFailed('PyYAML reads openapi.yaml differently from a reader of YAML 1.2');
    }
    return right(versionOf(PYYAML), 'openapi.yaml reads the same in YAML 1.1 and 1.2');
  },
};

/** What it prints if all is well, or if only a formatter is missing. */
const HARMLESS =
  /^(Generating .*|.*ruff is not in PATH|Skipping Integration|Warning\(s\) encountered.*|If you believe .*|)$/;

const openapiPythonClient: Generator = {
  name: 'openapi-python-client',
  isQuick: false,
  needsService: true,
  async run({ folder, json, say, judge }) {
    const packages = await pythonWith(say);
    const client = join(folder, 'client');
    // It leaves out what it does not understand, and only prints a warning. Its formatter is not needed.
    writeFileSync(join(folder, 'config.yaml'), 'post_hooks: []\n');
    const argv = ['-m', 'openapi_python_client', 'generate', '--path', json, '--output-path', client];
    const config = ['--config', join(folder, 'config.yaml'), '--fail-on-warning'];
    const said = await run('python3', [...argv, ...config], { env: pythonPath(packages) });
    const warning = said.split('\n').find((line) => !HARMLESS.test(line.trim()));
    if (warning !== undefined) throw new StageFailed(warning);
    await run('python3', ['-m', 'compileall', '-q', client]);
    copyProgram('openapi-python-client.py', join(folder, 'program.py'));
    const ran = await judge('python3', ['program.py'], { cwd: folder, env: pythonPath(packages, client) });
    return right(versionOf(CLIENT), 'a client, without a warning', 'yes', ran);
  },
};

function versionOf(pin: string): string {
  return pin.split('==')[1] ?? '';
}

/** The tools that pip fetches. */
export const inPython: readonly Generator[] = [pyYaml, openapiPythonClient];
