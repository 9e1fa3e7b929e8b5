import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { operations, prefix } from '../../generated/operations.ts';
import { rule } from '../engine/rule-test.ts';
import type { TestContext } from '../engine/test-context.ts';
import { callOf } from './shared/calls.ts';

const contract = () =>
  parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as {
    info: { version: string };
    paths: Record<string, unknown>;
    servers: { url: string }[];
  };

rule('VER-1', async (t) => {
  const full = t.as('full');
  for (const path of [
    '/developer/v2',
    '/developer/V1',
    '/Developer/v1',
    '/developer/v1.0',
    '/developer/v01',
    '/developer',
    '/v1',
    '/developer/v',
  ]) {
    for (const rest of ['/employees', '/api_key/_verify', '']) {
      const answer = await full.send({ path: `${path}${rest}`, absolute: true });
      t.check(answer.status === 404, `${path}${rest}: expected 404, got ${answer.brief}`, answer);
    }
  }
});

rule('VER-2', (t) => t.equal(contract().info.version, '1.0.0', 'info.version of the contract'));

/** Checks whether operations of these releases exist, as the target claims. */
const additions = (concerned: (release: string) => boolean) => async (t: TestContext) => {
  const full = t.as('full', { spread: true });
  for (const operation of Object.values(operations)) {
    const addition = operation.since.replace(/\.0$/, '');
    if (addition === '1.0' || !concerned(addition)) continue;
    const answer = await full.send(callOf(operation));
    const there = answer.status !== 501 && !['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(answer.code ?? '');
    const claimed = t.profile.capabilities.includes(addition);
    t.equal(there, claimed, `whether ${operation.operationId} of ${addition} is there`, answer);
  }
};

rule(
  'VER-3',
  additions((release) => release !== '1.4'),
);
rule(
  'VER-6',
  additions((release) => release === '1.4'),
);

rule('VER-4', (t) => {
  const { paths, servers } = contract();
  for (const path of Object.keys(paths))
    t.check(path.startsWith(`${prefix}/`), `${path} does not begin with ${prefix}`);
  for (const { url } of servers) t.check(!url.includes(prefix), `the server ${url} repeats the prefix`);
});
