import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { operations, prefix } from '../../generated/operations.ts';
import { additionOf } from '../http/capability.ts';
import { rule } from './rule.ts';
import { callOf } from './shared/calls.ts';

const contract = () =>
  parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as {
    info: { version: string };
    paths: Record<string, unknown>;
    servers: { url: string }[];
  };

rule({
  id: 'VER-2',
  text: 'The description of the interface is labelled 1.0.0.',
  place: 'info.version',
  decisions: ['D-32'],
  check: (t) => t.equal(contract().info.version, '1.0.0', 'info.version of the contract'),
});

rule({
  id: 'VER-3',
  replaces: ['VER-6'],
  text: 'The additions of each release exist if, and only if, the target claims them.',
  place: 'x-since',
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const operation of Object.values(operations)) {
      const addition = additionOf(operation.operationId);
      if (addition === undefined) continue;
      const answer = await full.send(callOf(operation));
      const there = answer.status !== 501 && !['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(answer.code ?? '');
      const isClaimed = t.profile.capabilities.includes(addition);
      t.equal(there, isClaimed, `whether ${operation.operationId} of ${addition} is there`, answer);
    }
  },
});

rule({
  id: 'VER-4',
  text: 'Every path of the description carries the prefix.',
  place: 'paths',
  check: (t) => {
    const { paths, servers } = contract();
    for (const path of Object.keys(paths))
      t.check(path.startsWith(`${prefix}/`), `${path} does not begin with ${prefix}`);
    for (const { url } of servers) t.check(!url.includes(prefix), `the server ${url} repeats the prefix`);
  },
});
