/** The packages of an image: their files, their licences, and the list of what is in it (SBOM). */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Lock, LockedPackage } from '../../scripts/packages/shrinkwrap.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Licences that an image may carry, as packages state them: all are free, and none asks that the service be under it, too.
 */
export const FREE_LICENCES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Bitstream-Vera',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'Python-2.0',
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  'MIT OR Apache-2.0',
];

/** Packages of which the lock file states none: what the file LICENSE in them is. */
const LICENCE_OF: Readonly<Record<string, string>> = {
  // They point to the file: Bitstream Vera; what DejaVu changed is in the public domain.
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  // It states none.
  'png-js': 'MIT',
  // They state it in an older form. All are for development.
  busboy: 'MIT',
  'compute-gcd': 'MIT',
  'compute-lcm': 'MIT',
  streamsearch: 'MIT',
  'validate.io-function': 'MIT',
  'validate.io-integer': 'MIT',
  'validate.io-integer-array': 'MIT',
  'validate.io-number': 'MIT',
};

/** What Node never reads: it runs no TypeScript below node_modules; `.yarn` is a package manager. */
const UNREAD = /\.(map|[cm]?ts|tsbuildinfo|yarn)$/;
const LICENCE_FILE = /^(licen[cs]e|copying|copyright|notice)/i;

/** A package in its place below the folder of a tree. */
export interface PlacedPackage {
  readonly place: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; empty if nobody states one. */
  readonly licence: string;
}

const nameIn = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

function placed(place: string, entry: LockedPackage): PlacedPackage {
  const name = nameIn(place);
  return { place, name, version: entry.version ?? '', licence: LICENCE_OF[name] ?? entry.license ?? '' };
}

/** All packages of a lock file, also those of other platforms. */
export function packagesOf({ packages }: Lock): PlacedPackage[] {
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => placed(place, entry));
}

/** Those whose licence is not among {@link FREE_LICENCES}, in words. */
export function unfree(packages: readonly PlacedPackage[]): string[] {
  return packages
    .filter(({ licence }) => !FREE_LICENCES.includes(licence))
    .map(({ place, version, licence }) => `${place} ${version}: ${licence || 'no licence'}`);
}

/**
 * Copies the packages of a lock file out of the installation of this checkout.
 * @returns those that are installed: packages of other platforms are not
 * @throws Error where the installation is not what the lock file states
 */
export function copyPackages(lock: Lock, target: string): PlacedPackage[] {
  const packages = packagesOf(lock).filter(
    ({ place }) => existsSync(join(ROOT, place)) || lock.packages[place]?.optional !== true,
  );
  for (const { place, version } of packages) {
    const found = existsSync(join(ROOT, place)) ? manifestOf(place).version : 'missing';
    if (found !== version) {
      throw new Error(`${place} is ${found}, and package-lock.json has ${version}: run npm ci`);
    }
    cpSync(join(ROOT, place), join(target, place), {
      recursive: true,
      filter: (file) => basename(file) !== 'node_modules' && !UNREAD.test(file),
    });
  }
  return packages;
}

interface PackageManifest {
  readonly version: string;
  readonly author?: string | { readonly name: string };
}

const manifestOf = (place: string) =>
  JSON.parse(readFileSync(join(ROOT, place, 'package.json'), 'utf8')) as PackageManifest;

const RULE = '='.repeat(80);

/** The licences of packages and programs, with their texts. Equal texts of one package's copies stand once. */
export function noticesOf(packages: readonly PlacedPackage[], programs: readonly PlacedProgram[]): string {
  const parts = packages.map(({ place, name, version, licence }) => {
    const texts = readdirSync(join(ROOT, place))
      .filter((file) => LICENCE_FILE.test(file) && !file.endsWith('.js'))
      .toSorted()
      .map((file) => readFileSync(join(ROOT, place, file), 'utf8').trim());
    const { author } = manifestOf(place);
    const by = typeof author === 'object' ? author.name : author;
    const stated = `The package has no file of its licence. It states: ${licence}${by === undefined ? '' : `, ${by}`}.`;
    return [`${name} ${version}`, `Licence: ${licence}`, '', ...(texts.length > 0 ? texts : [stated])].join('\n');
  });
  const all = [...new Set(parts), ...programs.map(({ notice }) => notice)];
  return `${['What this image has from others, with their licences.', ...all].join(`\n\n${RULE}\n`)}\n`;
}

/** A program of an image that no lock file names. */
export interface PlacedProgram {
  /** As CycloneDX calls its kind. */
  readonly type: 'application' | 'platform';
  /** Its own name and that of its maker as lists of weaknesses (CPE) have them. */
  readonly name: string;
  readonly maker: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  readonly notice: string;
  /** What of the machine an image gets of it, beside what its base has. */
  readonly files: readonly (readonly [from: string, to: string])[];
}

/** The Node that runs this, which is that of the image. Its licence is beside it, or where npm puts it, if it keeps it. */
export function nodeProgram(): PlacedProgram {
  const { node: version } = process.versions;
  const above = dirname(dirname(process.execPath));
  const platform = `node-${process.platform}-${process.arch}`;
  const files = [join(above, 'LICENSE'), join(above, 'node_modules', platform, 'LICENSE')];
  const text = licenceIn(files, `https://github.com/nodejs/node/blob/v${version}/LICENSE`);
  const notice = `Node.js ${version}, and what is built into it\n\n${text}`;
  return { type: 'platform', name: 'node.js', maker: 'nodejs', version, licence: 'MIT', notice, files: [] };
}

/** The text of the first of these files that there is. @param address of the licence, where there is none */
export function licenceIn(files: readonly string[], address: string): string {
  const file = files.find((each) => existsSync(each));
  if (file === undefined) return `This installation has no file of its licence: ${address}`;
  return readFileSync(file, 'utf8').trim();
}

/** A bill of materials in CycloneDX's JSON, as far as it is changed here. */
interface Bom {
  serialNumber?: string;
  readonly metadata: { timestamp?: string; readonly component: { name: string } };
  readonly components: BomComponent[];
}

interface BomComponent {
  readonly name: string;
  licenses?: readonly object[];
}

/** The list that npm makes of a tree's lock file, in CycloneDX's JSON, with the programs. @param folder of the lock file */
export function bomOf(folder: string, name: string, programs: readonly PlacedProgram[]): string {
  const words = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  return reproducible(
    execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 }),
    name,
    programs,
  );
}

/** The list without what differs from run to run, which npm takes from the clock, from chance and from the folder's name. */
export function reproducible(made: string, name: string, programs: readonly PlacedProgram[]): string {
  const bom = JSON.parse(made) as Bom;
  delete bom.serialNumber;
  bom.metadata.timestamp = new Date(sourceDate() * 1000).toISOString();
  bom.metadata.component.name = name;
  for (const component of bom.components) {
    const licence = LICENCE_OF[component.name];
    if (licence !== undefined) component.licenses = [{ license: { id: licence } }];
  }
  bom.components.push(...programs.map(componentOf));
  const digest = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  // A UUID by a rule of its own (version 8), made of the contents.
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return `${JSON.stringify({ ...bom, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`;
}

/** The time that everything in an image has, in seconds: SOURCE_DATE_EPOCH, as reproducible builds call it, or 1970. */
export const sourceDate = () => Number(process.env.SOURCE_DATE_EPOCH ?? 0);

function componentOf({ type, name, maker, version, licence }: PlacedProgram): BomComponent & Record<string, unknown> {
  return {
    'bom-ref': `${name}@${version}`,
    type,
    name,
    version,
    cpe: `cpe:2.3:a:${maker}:${name}:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: { id: licence } }],
  };
}
