import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { prefix } from '../../generated/contract.ts';
import { rule } from './rule.ts';

const contract = () =>
  parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as {
    info: { version: string };
    paths: Record<string, unknown>;
    servers: { url: string }[];
  };

rule({
  id: 'VER-2',
  text: 'The description of the interface is labelled 1.0.0, and every path of it carries the prefix.',
  place: 'info.version, paths',
  decisions: ['D-32'],
  check: (t) => {
    const { info, paths, servers } = contract();
    t.equal(info.version, '1.0.0', 'info.version of the contract');
    for (const path of Object.keys(paths))
      t.check(path.startsWith(`${prefix}/`), `${path} does not begin with ${prefix}`);
    for (const { url } of servers) t.check(!url.includes(prefix), `the server ${url} repeats the prefix`);
  },
});
