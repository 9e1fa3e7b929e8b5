/** The keys of a deployment change while its processes are replaced one by one, as the runbook says. */
import { expect, test } from '@jest/globals';
import { testDeployment } from '../scripts/world/test-deployment.ts';
import { pageTokens } from './data/page.ts';
import { secretBox } from './webhooks/secrets.ts';

const { store } = await testDeployment();
const [old, next] = [7, 8].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
/** The keys of a process before, in and after a rotation; processes of two neighbouring steps run side by side. */
const STEPS = [[old], [old, next], [next, old], [next]] as const;
const binding = { list: 'listEmployees', tenantId: 't1', filters: {} } as const;
const position = { createTimeMs: 1_700_000_000_123, id: '3f2b1c9e-7a54-4c1d-9b0e-5d8a6f4e2c10' };
const [endpoint, secret] = ['5f2b1c9e-7a54-4c1d-9b0e-5d8a6f4e2c11', 'whsec_of_an_endpoint'];

interface KeyKind {
  seal(keys: readonly Uint8Array[]): Promise<string>;
  opens(keys: readonly Uint8Array[], sealed: string): Promise<boolean>;
}

const isOpened = (opening: Promise<unknown>, wanted: unknown): Promise<boolean> =>
  opening.then(
    (opened) => {
      expect(opened).toEqual(wanted);
      return true;
    },
    () => false,
  );

const kinds: Readonly<Record<string, KeyKind>> = {
  'page tokens': {
    seal: async (keys) => pageTokens(keys).seal(binding, 100, position),
    opens: (keys, sealed) => isOpened(pageTokens(keys).open(binding, 100, sealed), position),
  },
  'secrets of endpoints': {
    seal: (keys) => secretBox(store, keys).seal(endpoint, secret),
    opens: (keys, sealed) => isOpened(secretBox(store, keys).open(endpoint, sealed), secret),
  },
};

test.each(Object.entries(kinds))(
  '%s are opened by processes of the step before, of the same and of the next one',
  async (_, kind) => {
    const opened = await Promise.all(
      STEPS.map(async (keys) => {
        const sealed = await kind.seal(keys);
        return Promise.all(STEPS.map((others) => kind.opens(others, sealed)));
      }),
    );
    expect(opened).toEqual([
      [true, true, true, false],
      [true, true, true, false],
      [false, true, true, true],
      [false, true, true, true],
    ]);
  },
);
