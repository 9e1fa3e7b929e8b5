import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../scripts/kit/leftovers.ts';
import { type Lock, type PackageNeeds, shrinkwrapOf } from '../../scripts/packages/shrinkwrap.ts';
import {
  bomOf,
  nodeProgram,
  noticesOf,
  type PlacedPackage,
  type PlacedProgram,
  packagesOf,
  reproducible,
  unfree,
} from './packages.ts';
import { serviceLock } from './tree.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const whole = read('package-lock.json') as Lock;
const ofSuites = shrinkwrapOf(read('conformance/package.json') as PackageNeeds, whole);
const service = packagesOf(serviceLock());
const openssl: PlacedProgram = {
  type: 'application',
  name: 'openssl',
  maker: 'openssl',
  version: '3.0.99',
  licence: 'Apache-2.0',
  notice: 'OpenSSL 3.0.99\n\nIts terms',
  files: [],
};
const programs = [nodeProgram(), openssl];

describe('licences', () => {
  test.each([
    ['service', 100, service],
    ['suites', 10, packagesOf(ofSuites)],
    ['whole project, with what is for development', 500, packagesOf(whole)],
  ])('every package of the %s, more than %i, is free', (_, fewest, packages) => {
    expect(packages.length).toBeGreaterThan(fewest);
    expect(unfree(packages)).toEqual([]);
  });

  test('a package of another licence, or of none, is refused and named', () => {
    const of = (name: string, licence: string): PlacedPackage => ({
      place: `node_modules/${name}`,
      name,
      version: '1.0.0',
      licence,
    });
    const [allowed, ...refused] = ['MIT', 'BUSL-1.1', 'SEE LICENSE IN LICENSE', 'UNLICENSED', ''];
    const packages = [allowed, ...refused].map((licence, nth) => of(`p${nth}`, licence ?? ''));
    expect(unfree(packages)).toEqual(
      refused.map((name, nth) => `node_modules/p${nth + 1} 1.0.0: ${name || 'no licence'}`),
    );
  });

  test('the notices have the texts of all packages, and those of the programs', () => {
    const text = noticesOf(service, programs);
    for (const { name, version, licence } of service)
      expect(text).toContain(`\n${name} ${version}\nLicence: ${licence}\n`);
    const express = readFileSync(join(root, 'node_modules/express/LICENSE'), 'utf8').trim();
    expect(text).toContain(express);
    expect(text).toContain(`\nNode.js ${process.versions.node}, `);
    // Of what is built into Node, zlib is one part. Npm does not keep the text.
    expect(text).toMatch(/zlib|This installation has no file of its licence/);
    expect(text).toContain(`\n${openssl.notice}\n`);
  });
});

describe('the list of materials', () => {
  test('has every package of the lock file with its version, licence and digest, and the programs', () => {
    const folder = temporaryFolder('bom-');
    for (const [file, value] of [
      ['package.json', serviceLock().packages['']] as const,
      ['package-lock.json', serviceLock()] as const,
    ]) {
      writeFileSync(join(folder, file), JSON.stringify(value));
    }
    const bom = JSON.parse(bomOf(folder, 'developer-api', programs));
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'developer-api', type: 'application' } },
    });
    const listed = new Map<string, { hashes?: object[]; licenses?: object[] }>();
    for (const one of bom.components) listed.set(`${one.name}@${one.version}`, one);
    const others = [`node.js@${process.versions.node}`, 'openssl@3.0.99'];
    const wanted = [...service.map(({ name, version }) => `${name}@${version}`), ...others];
    expect([...listed.keys()].toSorted()).toEqual([...new Set(wanted)].toSorted());
    const bare = [...listed].filter(([, { licenses = [] }]) => licenses.length === 0).map(([name]) => name);
    expect(bare).toEqual([]);
    expect([...listed].filter(([, { hashes = [] }]) => hashes.length === 0).map(([name]) => name)).toEqual(others);
    expect(listed.get('openssl@3.0.99')).toMatchObject({
      cpe: 'cpe:2.3:a:openssl:openssl:3.0.99:*:*:*:*:*:*:*',
      purl: 'pkg:generic/openssl@3.0.99',
      licenses: [{ license: { id: 'Apache-2.0' } }],
    });
  });

  test('is the same each time, and another one for other packages', () => {
    const made = (serialNumber: string, timestamp: string, components: object[]) =>
      reproducible(
        JSON.stringify({ serialNumber, metadata: { timestamp, component: { name: timestamp } }, components }),
        'x',
        programs,
      );
    const first = made('urn:uuid:1', '2026-01-01T00:00:00Z', []);
    expect(made('urn:uuid:2', '2026-01-02T00:00:00Z', [])).toBe(first);
    const other = made('urn:uuid:1', '2026-01-01T00:00:00Z', [{ name: 'a' }]);
    const serial = (bom: string) => (JSON.parse(bom) as { readonly serialNumber: string }).serialNumber;
    expect(serial(other)).not.toBe(serial(first));
    expect(serial(first)).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });
});
