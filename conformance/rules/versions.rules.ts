import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { operations, prefix } from '../../generated/operations.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { callOf } from './shared/calls.ts';

const contract = () =>
  parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as {
    info: { version: string };
    paths: Record<string, unknown>;
    servers: { url: string }[];
  };

rule({
  id: 'VER-1',
  level: 'MUST',
  text: 'Nothing is served under another version, another case of the prefix, or the prefix alone.',
  place: 'servers, paths',
  check: async (t) => {
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
  },
});

rule({
  id: 'VER-2',
  level: 'MUST',
  text: 'The description of the interface is labelled 1.0.0.',
  place: 'info.version',
  decisions: ['D-32'],
  check: (t) => t.equal(contract().info.version, '1.0.0', 'info.version of the contract'),
});

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

rule({
  id: 'VER-3',
  level: 'MUST',
  text: 'The additions of 1.3, 1.5 and 1.6 exist if, and only if, the target claims them.',
  place: 'x-since',
  check: additions((release) => release !== '1.4'),
});
rule({
  id: 'VER-6',
  level: 'MUST',
  text: 'The addition of 1.4, ingest, exists if, and only if, the target claims it.',
  place: 'x-since',
  check: additions((release) => release === '1.4'),
});

rule({
  id: 'VER-4',
  level: 'MUST',
  text: 'Every path of the description carries the prefix.',
  place: 'paths',
  check: (t) => {
    const { paths, servers } = contract();
    for (const path of Object.keys(paths))
      t.check(path.startsWith(`${prefix}/`), `${path} does not begin with ${prefix}`);
    for (const { url } of servers) t.check(!url.includes(prefix), `the server ${url} repeats the prefix`);
  },
});
