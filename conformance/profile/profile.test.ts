import { describe, expect, test } from '@jest/globals';
import { exampleProfile } from '../testing/small-target.ts';
import { parseEnvFile } from './env-file.ts';
import { BadProfile, checkProfile, namedKeys, type Profile } from './profile.ts';

const withKeys = (profile: Profile) => Object.fromEntries(namedKeys(profile.keys).map(([, name]) => [name, 'dev_x']));
const noFile = () => '';

function problemsOf(change: (profile: Profile) => void, env: Record<string, string> = {}) {
  const profile = exampleProfile();
  change(profile);
  try {
    checkProfile(profile, { ...withKeys(exampleProfile()), ...env }, noFile);
  } catch (error) {
    if (error instanceof BadProfile) return error.problems;
    throw error;
  }
  return [];
}

describe('the profile', () => {
  test('the example is complete and valid', () => {
    expect(problemsOf(() => {})).toEqual([]);
  });

  test('a literal key is refused and not repeated in the answer', () => {
    const problems = problemsOf((profile) => {
      profile.keys.load = 'dev_0123456789abcdefghijABCDEFGHIJ';
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^keys\.load: .*environment variable/);
    expect(problems[0]).not.toContain('0123456789');
  });

  test('each problem says where it is, what it is, and what to do', () => {
    const problems = problemsOf((profile) => {
      Object.assign(profile.values, { limit_above_maximum: 'perhaps' });
      Object.assign(profile.tenant, { colour: 'red' });
      Object.assign(profile, { base_url: undefined, clock: { mode: 'control' } });
    });
    expect(problems).toEqual(
      expect.arrayContaining([
        'the profile: `base_url` is missing; add it (conformance/profile.example.yaml shows it).',
        expect.stringMatching(/^clock: `url` is missing/),
        'tenant: `colour` is not known; remove it or correct its spelling.',
        'values.limit_above_maximum: must be one of ["clamp","reject"]; choose one.',
      ]),
    );
  });

  test('a time zone is one that this machine knows', () => {
    const problems = problemsOf((profile) => {
      profile.values.time_zone = 'Asia/Nowhere';
      profile.fixtures.time_zone_other_tenant = 'America/Nowhere';
    });
    expect(problems).toEqual([
      expect.stringMatching(/^values\.time_zone: /),
      expect.stringMatching(/^fixtures\.time_zone_other_tenant: /),
    ]);
  });

  test('a key whose variable is not set is a problem', () => {
    expect(problemsOf(() => {}, { CONF_KEY_LOAD: '' })).toEqual([expect.stringContaining('CONF_KEY_LOAD is not set')]);
  });

  test('variables override scalars, with the type of the schema', () => {
    const env = {
      ...withKeys(exampleProfile()),
      CONF_BASE_URL: 'http://127.0.0.1:1',
      CONF_TENANT_MAX_WRITES: '7',
      CONF_TENANT_CONSENT_TO_WRITES: 'false',
      CONF_REPLICAS: 'http://a.example,http://b.example',
      CONF_VALUES_LIMIT_ABOVE_MAXIMUM: 'reject',
      CONF_LIMIT_PROBE: 'full',
    };
    const { profile } = checkProfile(exampleProfile(), env, noFile);
    expect(profile).toMatchObject({
      base_url: 'http://127.0.0.1:1',
      tenant: { max_writes: 7, consent_to_writes: false },
      replicas: ['http://a.example', 'http://b.example'],
      values: { limit_above_maximum: 'reject' },
      limit_probe: 'full',
    });
    expect(() => checkProfile(exampleProfile(), { ...env, CONF_TENANT_MAX_WRITES: 'many' }, noFile)).toThrow(
      /max_writes/,
    );
  });

  test('the env_file gives the secrets, and variables already set win', () => {
    const file = () =>
      namedKeys(exampleProfile().keys)
        .map(([, name]) => `${name}="from_file"`)
        .join('\n');
    const { secrets } = checkProfile(exampleProfile(), { CONF_KEY_LOAD: 'from_env' }, file);
    expect(secrets.CONF_KEY_LOAD).toBe('from_env');
    expect(secrets.CONF_KEY_NO_SCOPE).toBe('from_file');
    expect(parseEnvFile("# c\nA=1\nexport B = two words \n\nC='q'")).toEqual({ A: '1', B: 'two words', C: 'q' });
  });

  test('a line of the env_file without a value means that there is no such key; at least one key of full must exist', () => {
    const names = namedKeys(exampleProfile().keys).map(([, name]) => name);
    const file = (empty: readonly string[]) => () =>
      names.map((name) => `${name}=${empty.includes(name) ? '' : 'dev_x'}`).join('\n');
    const { profile, secrets } = checkProfile(exampleProfile(), {}, file(['CONF_KEY_LOAD', 'CONF_KEY_FULL_2']));
    expect(profile.keys).not.toHaveProperty('load');
    expect(profile.keys.full).toEqual(['CONF_KEY_FULL_1']);
    expect(secrets).not.toHaveProperty('CONF_KEY_LOAD');
    const none = exampleProfile().keys.full;
    expect(() => checkProfile(exampleProfile(), {}, file(none))).toThrow(/keys.full: its variables are empty/);
  });
});
