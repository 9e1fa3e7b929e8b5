/** The command line: what it refuses, and with which exit code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ranHere } from '../scripts/kit/testing/ran-here.ts';
import { testFolder } from '../scripts/kit/testing/test-folder.ts';
import { main } from './main.ts';
import { namedKeys } from './profile/profile.ts';
import { exampleProfile } from './testing/small-target.ts';

const directory = testFolder();

const example = join(import.meta.dirname, 'profile.example.yaml');
const profile = join(directory, 'profile.yaml');
writeFileSync(profile, readFileSync(example, 'utf8').replace(/^env_file:.*$/m, ''));
const keys = Object.fromEntries(namedKeys(exampleProfile().keys).map(([, name]) => [name, 'dev_x']));

const conformance = (...args: string[]) => ranHere(main, args, { ...keys, CONF_BASE_URL: 'http://127.0.0.1:1' });

describe('npm run conformance', () => {
  test('--plan sends nothing, and can be read by programs', async () => {
    const json = join(directory, 'plan.json');
    const { code, out } = await conformance('--profile', profile, '--plan', '--json', json);
    expect(code).toBe(0);
    expect(out).toContain('Nothing was sent.');
    expect(out).toContain('UNTESTED missing_clock: the profile has no control clock');
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      base_url: 'http://127.0.0.1:1',
      max_writes: expect.any(Number),
    });
  });

  test('--limit-probe overrides the profile, and takes one of two values', async () => {
    const planned = async (...args: string[]) => {
      const json = join(directory, 'limit.json');
      await conformance('--profile', profile, '--plan', '--section', 'LIM', '--json', json, ...args);
      return (JSON.parse(readFileSync(json, 'utf8')) as { requests: number }).requests;
    };
    expect(await planned('--limit-probe', 'full')).toBeGreaterThan((await planned()) + 1000);
    expect(await conformance('--profile', profile, '--limit-probe', 'heavy')).toMatchObject({
      code: 2,
      err: expect.stringContaining('light, full'),
    });
  });

  test('distinguishes a bad command line, a bad baseline and an unreachable target', async () => {
    const baseline = join(directory, 'baseline.yaml');
    writeFileSync(
      baseline,
      'baseline_version: 1\ndeviations: [{rule: NO-1, link: "https://x.example", expires: 2030-01-01}]\n',
    );
    expect(await conformance('--nonsense')).toMatchObject({ code: 2 });
    expect(await conformance('--profile', profile, '--baseline', baseline, '--check')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no rule NO-1'),
    });
    expect(await conformance('--profile', profile)).toMatchObject({ code: 3 });
    expect(await conformance('doctor', '--profile', profile)).toMatchObject({ code: 3 });
  });
});
