/** OpenSSL in the image of the service, whose word on signatures is the last. */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { onPath } from '../../scripts/testbed/go-tool.ts';
import { licenceIn, type PlacedProgram } from './packages.ts';

/** The C library, which the base of the image has. */
const OF_BASE = /\/(ld-|lib(c|m|dl|pthread)\.)/;

/** The files of the libraries that a program loads; none where the machine cannot tell, as macOS. */
export function librariesOf(program: string): string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...String(stdout).matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file);
}

/** The one that the service would find on this machine, for the places where Debian has it; undefined without OpenSSL 3. */
export function opensslHere(env: NodeJS.ProcessEnv = process.env): PlacedProgram | undefined {
  const program = env.OPENSSL || onPath('openssl', env);
  if (program === undefined) return undefined;
  const { stdout } = spawnSync(program, ['version'], { encoding: 'utf8' });
  const [, version] = /^OpenSSL (3\.\S+)/.exec(String(stdout)) ?? [];
  if (version === undefined) return undefined;
  const libraries = librariesOf(program)
    .filter((file) => !OF_BASE.test(file))
    // The folder without links: /lib may be one to /usr/lib.
    .map((file) => [file, join(realpathSync(dirname(file)), basename(file))] as const);
  const text = licenceIn(
    // Of Debian, and of others.
    ['/usr/share/doc/openssl/copyright', '/usr/share/licenses/openssl/LICENSE.txt'],
    `https://github.com/openssl/openssl/blob/openssl-${version}/LICENSE.txt`,
  );
  return {
    type: 'application',
    name: 'openssl',
    maker: 'openssl',
    version,
    licence: 'Apache-2.0',
    notice: `OpenSSL ${version}, its program and its libraries\nLicence: Apache-2.0, whose text is in LICENSE\n\n${text}`,
    files: [[program, '/usr/bin/openssl'], ...libraries],
  };
}
