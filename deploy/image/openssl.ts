/** OpenSSL in the image of the service, whose word on signatures is the last. */
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Openssl } from '../../handlers/runtime/openssl.ts';
import { licenceIn, type PlacedProgram } from './packages.ts';

/** The C library, which the base of the image has. */
const OF_BASE = /\/(ld-|lib(c|m|dl|pthread)\.)/;

/** The files of the libraries that a program loads; none where the machine cannot tell, as macOS. */
export function librariesOf(program: string): string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...String(stdout).matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file);
}

/** The one that the service finds on this machine, for the places where Debian has it; undefined where it finds none. */
export async function opensslHere(): Promise<PlacedProgram | undefined> {
  const { OPENSSL, PATH } = process.env;
  const found = await Openssl.find({ OPENSSL: OPENSSL || undefined, PATH });
  if (!(found instanceof Openssl)) return undefined;
  const [, version = ''] = /^OpenSSL (\S+)/.exec(found.version) ?? [];
  const libraries = librariesOf(found.program)
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
    files: [[found.program, '/usr/bin/openssl'], ...libraries],
  };
}
