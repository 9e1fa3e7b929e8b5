/** openapi-generator, a Java program that Maven fetches, and the clients that it makes for four languages. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProgram, kept, lackOf, run } from './command.ts';
import { type Bench, type Generator, type NotRun, StageFailed } from './generator.ts';
import { right } from './in-node.ts';
import { pythonPath, pythonWith } from './in-python.ts';

const VERSION = '7.23.0';
const ARTIFACT = `org.openapitools:openapi-generator-cli:${VERSION}`;
/** Makes clients without tests and without documentation pages. */
const PARTS = 'models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false';
/** What it prints about a file that it writes twice, so that a part of the client is lost. */
const LOST = /Duplicate file path|Could not|Exception|ERROR/;

/** Makes a client in a folder. @throws StageFailed if it crashes or loses a part */
async function generate(
  language: string,
  { json, say }: Bench,
  to: string,
  more: readonly string[] = [],
): Promise<NotRun | undefined> {
  const lack = lackOf('java', 'mvn');
  if (lack) return lack;
  const jar = await kept('openapi-generator', [ARTIFACT], async (into) => {
    say('Fetching openapi-generator, once; 32 MB …');
    await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${into}`], {
      cwd: into,
    });
  });
  const cli = join(jar, `openapi-generator-cli-${VERSION}.jar`);
  const argv = ['-jar', cli, 'generate', '-i', json, '-g', language, '-o', to, '--global-property', PARTS, ...more];
  const said = await run('java', argv);
  const lost = said.split('\n').find((line) => LOST.test(line) && !/INFO/.test(line));
  if (lost !== undefined) throw new StageFailed(lost);
  return undefined;
}

const java: Generator = {
  name: 'openapi-generator java',
  isQuick: false,
  needsService: true,
  async run(bench) {
    const lack = await generate('java', bench, bench.folder);
    if (lack) return lack;
    copyProgram('Java.java', join(bench.folder, 'src/main/java/Java.java'));
    const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
    await run('mvn', ['-q', '-B', '-DskipTests', ...goals], { cwd: bench.folder });
    const path = `target/classes:${readFileSync(join(bench.folder, 'classpath.txt'), 'utf8').trim()}`;
    const ran = await bench.judge('java', ['-cp', path, 'Java'], { cwd: bench.folder });
    return right(VERSION, 'a client', 'yes, by Maven', ran);
  },
};

const go: Generator = {
  name: 'openapi-generator go',
  isQuick: false,
  needsService: true,
  async run(bench) {
    const lack = lackOf('go');
    if (lack) return lack;
    const { folder } = bench;
    const path = ['--git-host', 'example.com', '--git-user-id', 'developer', '--git-repo-id', 'client'];
    const absent = await generate('go', bench, folder, path);
    if (absent) return absent;
    mkdirSync(join(folder, 'program'));
    copyProgram('go.go', join(folder, 'program/main.go'));
    await run('go', ['mod', 'tidy'], { cwd: folder });
    await run('go', ['vet', './...'], { cwd: folder });
    await run('go', ['build', '-o', 'listed', './program'], { cwd: folder });
    const ran = await bench.judge(join(folder, 'listed'), []);
    return right(VERSION, 'a client', 'yes, and go vet is content', ran);
  },
};

const python: Generator = {
  name: 'openapi-generator python',
  isQuick: false,
  needsService: true,
  async run(bench) {
    const found = await pythonWith(bench.say);
    if ('missing' in found) return found;
    const { folder } = bench;
    const absent = await generate('python', bench, folder);
    if (absent) return absent;
    await run('python3', ['-m', 'compileall', '-q', 'openapi_client'], { cwd: folder });
    copyProgram('python.py', join(folder, 'program.py'));
    const ran = await bench.judge('python3', ['program.py'], { cwd: folder, env: pythonPath(found.python) });
    return right(VERSION, 'a client', 'yes', ran);
  },
};

const csharp: Generator = {
  name: 'openapi-generator csharp',
  isQuick: false,
  needsService: false,
  async run(bench) {
    const absent = await generate('csharp', bench, bench.folder);
    if (absent) return absent;
    const lack = lackOf('dotnet');
    if (lack) return right(VERSION, 'a client', `not tried: ${lack.missing}`);
    await run('dotnet', ['build'], { cwd: bench.folder });
    return right(VERSION, 'a client', 'yes, by dotnet build', 'not tried');
  },
};

/** The clients of openapi-generator. */
export const inJava: readonly Generator[] = [java, go, python, csharp];
