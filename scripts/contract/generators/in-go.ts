/** Generators of Go clients that Go itself fetches: oapi-codegen and ogen. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capitalized } from '../generate/literal.ts';
import { operationsOf, parseContract } from '../read.ts';
import { copyProgram, demand, kept, run } from './command.ts';
import { type Bench, type Generator, type Report, StageFailed } from './generator.ts';
import { right } from './in-node.ts';

/** A generator: its program, and the module that the client needs, each with its version. */
interface Tool {
  readonly name: string;
  readonly program: string;
  readonly version: string;
  readonly runtime: string;
  /** The arguments, given the file of the contract. The client becomes the package `api`. */
  argv(json: string): readonly string[];
  /** The file with the operations. */
  readonly client: string;
}

const tools: readonly Tool[] = [
  {
    name: 'oapi-codegen',
    program: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
    version: 'v2.8.2',
    runtime: 'github.com/oapi-codegen/runtime@v1.9.0',
    argv: (json) => ['-generate', 'types,client', '-package', 'api', '-o', 'api/client.gen.go', json],
    client: 'api/client.gen.go',
  },
  {
    name: 'ogen',
    program: 'github.com/ogen-go/ogen/cmd/ogen',
    version: 'v1.24.0',
    runtime: 'github.com/ogen-go/ogen@v1.24.0',
    argv: (json) => ['--target', 'api', '--package', 'api', json],
    client: 'api/oas_client_gen.go',
  },
];

/** Makes a client, with every operation. @throws StageFailed if one is left out */
async function generate({ name, program, version, argv, client }: Tool, { folder, json, say }: Bench): Promise<number> {
  const bin = await kept(name, [program, version], async (into) => {
    say(`Building ${name}, once …`);
    await run('go', ['install', `${program}@${version}`], { env: { GOBIN: into } });
  });
  mkdirSync(join(folder, 'api'));
  await run(join(bin, name), argv(json), { cwd: folder });
  const text = readFileSync(join(folder, client), 'utf8');
  const operations = operationsOf(parseContract(readFileSync(json, 'utf8'), json)).map(
    ({ operationId }) => operationId,
  );
  const left = operations.filter((id) => !text.includes(`) ${capitalized(id)}(ctx `));
  if (left.length > 0) throw new StageFailed(`leaves out ${left.join(', ')}`);
  return operations.length;
}

/** Compiles and runs a program with the client in its module. @param program of `programs/` */
export async function reportOf(bench: Bench, program: string, version: string, made: string): Promise<Report> {
  const { folder } = bench;
  mkdirSync(join(folder, 'program'));
  copyProgram(program, join(folder, 'program/main.go'));
  for (const argv of [
    ['mod', 'tidy'],
    ['vet', './...'],
    ['build', '-o', 'listed', './program'],
  ]) {
    await run('go', argv, { cwd: folder });
  }
  const ran = await bench.judge(join(folder, 'listed'), []);
  return right(version, made, 'yes, and go vet is content', ran);
}

const generatorOf = (tool: Tool): Generator => ({
  name: tool.name,
  isQuick: false,
  needsService: true,
  async run(bench) {
    demand('go');
    const { folder } = bench;
    const count = await generate(tool, bench);
    writeFileSync(join(folder, 'go.mod'), 'module example.com/client\n\ngo 1.24\n');
    await run('go', ['mod', 'edit', '-require', tool.runtime], { cwd: folder });
    return reportOf(bench, `${tool.name}.go`, tool.version.slice(1), `a client of all ${count} operations`);
  },
});

/** The tools that Go fetches. */
export const inGo: readonly Generator[] = tools.map(generatorOf);
