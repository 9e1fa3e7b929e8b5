/** `npm run image`: lays out what an image holds. The Containerfile calls it, and so does whoever has no container engine. */
import { resolve } from 'node:path';
import { commandLine, refuse, runProgram } from '../../scripts/kit/command-line.ts';
import { runMain } from '../../scripts/kit/ending.ts';
import { ensureDocs } from '../../scripts/operate/start/docs.ts';
import { opensslHere } from './openssl.ts';
import { assembleService, assembleSuites } from './tree.ts';

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const program = commandLine(
    'npm run image --',
    'Lays out what an image holds, below a root, without a container engine.',
  );
  program
    .command('service')
    .description('the service: app/ with its program, packages, docs, SBOM and licences; OpenSSL 3 of this machine')
    .requiredOption('--out <folder>', 'the root; what the folder held is removed')
    .action(async ({ out }: { out: string }) => {
      const openssl =
        (await opensslHere()) ??
        refuse('The image needs OpenSSL 3: put it on the PATH, or name its program in OPENSSL.');
      const docs =
        (await ensureDocs(console.error)) ?? refuse('The docs could not be rendered, and the image needs them.');
      assembleService(resolve(out), docs, [openssl]);
    });
  program
    .command('suites')
    .description('the conformance and load suites: suites/ with their package and what it needs; k6 is not in it')
    .requiredOption('--out <folder>', 'the root; what the folder held is removed')
    .action(({ out }: { out: string }) => assembleSuites(resolve(out)));
  program.addHelpText('after', '\nExit codes: 0 done, 1 it cannot be laid out, 2 wrong usage.');
  return runProgram(program, argv);
}

if (import.meta.main) await runMain(main);
