/** openapi-generator, a Java program that Maven fetches, and the clients that it makes for four languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProgram, demand, kept, lackOf, run } from './command.ts';
import { type Bench, type Generator, StageFailed } from './generator.ts';
import { reportOf } from './in-go.ts';
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
): Promise<void> {
  demand('java', 'mvn');
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
}

const java: Generator = {
  name: 'openapi-generator java',
  isQuick: false,
  needsService: true,
  async run(bench) {
    await generate('java', bench, bench.folder);
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
    demand('go');
    const path = ['--git-host', 'example.com', '--git-user-id', 'developer', '--git-repo-id', 'client'];
    await generate('go', bench, bench.folder, path);
    return reportOf(bench, 'go.go', VERSION, 'a client');
  },
};

const python: Generator = {
  name: 'openapi-generator python',
  isQuick: false,
  needsService: true,
  async run(bench) {
    const packages = await pythonWith(bench.say);
    const { folder } = bench;
    await generate('python', bench, folder);
    await run('python3', ['-m', 'compileall', '-q', 'openapi_client'], { cwd: folder });
    copyProgram('python.py', join(folder, 'program.py'));
    const ran = await bench.judge('python3', ['program.py'], { cwd: folder, env: pythonPath(packages) });
    return right(VERSION, 'a client', 'yes', ran);
  },
};

const csharp: Generator = {
  name: 'openapi-generator csharp',
  isQuick: false,
  needsService: false,
  async run(bench) {
    await generate('csharp', bench, bench.folder);
    const lack = lackOf('dotnet');
    if (lack) return right(VERSION, 'a client', `not tried: ${lack}`);
    await run('dotnet', ['build'], { cwd: bench.folder });
    return right(VERSION, 'a client', 'yes, by dotnet build', 'not tried');
  },
};

/** The clients of openapi-generator. */
export const inJava: readonly Generator[] = [java, go, python, csharp];
