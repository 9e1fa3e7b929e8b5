/**
 * The page that leads from nothing to a running deployment: its blocks run as they stand, in one shell of root, on folders,
 * users, names and ports that only this shell sees. The last of them is the check, which must find nothing that fails.
 */
import { join, resolve } from 'node:path';
import { findMongod } from '../../kit/mongod-tool.ts';
import { pageBlocks, shellArgv } from '../../kit/page-blocks.ts';
import { endingOf, LAST_WORDS } from '../../kit/run-program.ts';
import { goTool, onPath } from '../../kit/tools.ts';
import type { Result, Scenario, ScenarioOptions } from '../scenario.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Where servers are that are not on every PATH. */
const PATH = `/mnt/bin:${process.env.PATH}:/usr/sbin:/sbin`;
/** What this cannot do, or has done: the packages are here, and a network is not. */
const LEFT_OUT = 'packages';
const APART = ['unshare', '--mount', '--pid', '--net', '--fork', '--kill-child', '--mount-proc'];
/** Before the name of a block that begins. */
const BEGINS = '=== ';
/** What a block needs of the machine, besides what those before it need. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  names: ['unshare', 'ip', 'runuser', 'useradd', 'npm'],
  secrets: ['openssl'],
  members: ['mongod'],
  set: ['mongosh'],
  storage: ['versitygw', 'curl', 'aws'],
  terminator: ['haproxy'],
};

/** Makes what the page presupposes: users, a clone that they may read, programs, the public name. */
const MACHINE = `
mount -t tmpfs tmpfs /mnt
mkdir /mnt/bin /mnt/project
# What is written there is this shell's own.
over() {
  mkdir "/mnt/$3" "/mnt/$3.work"
  mount -t overlay overlay -o "lowerdir=$1,upperdir=/mnt/$3,workdir=/mnt/$3.work" "$2"
}
over "$PWD" /mnt/project of-project
over /etc /etc of-etc
chmod 755 /mnt/project
for program in mongod versitygw; do
  path=$(printenv "$program") || continue
  touch "/mnt/bin/$program"
  mount --bind "$path" "/mnt/bin/$program"
done
for folder in /srv /tmp; do mount -t tmpfs -o mode=1777 tmpfs "$folder"; done
ip link set lo up
for user in mongodb versitygw developer-api; do useradd --system --user-group "$user"; done
echo '127.0.0.1 api.example.com' >> /etc/hosts
unset MONGODB_URI MONGODB_URI_FILE MONGODB_DATABASE
cd /mnt/project
`;

/** Finds the programs that may be fetched or built. @returns the path of each */
async function foundPrograms(say: ScenarioOptions['say']): Promise<Record<string, string>> {
  const found = {
    mongod: await findMongod(say),
    versitygw: await goTool(join(ROOT, 'scripts/lab/run/versitygw'), say, { isPlain: true }),
  };
  return Object.fromEntries(Object.entries(found).flatMap(([name, one]) => ('path' in one ? [[name, one.path]] : [])));
}

async function started({ say }: ScenarioOptions): Promise<Result> {
  const found = await foundPrograms(say);
  const isAway = (program: string) => found[program] === undefined && onPath(program, { PATH }) === undefined;
  const blocks = pageBlocks('deploy/FIRST-START.md', 'deploy').filter(({ name }) => name !== LEFT_OUT);
  const stop = blocks.find(({ name }) => NEEDS[name]?.some(isAway));
  const ready = stop === undefined ? blocks : blocks.slice(0, blocks.indexOf(stop));
  const script = ready.map((block) => `echo '${BEGINS}${block.name}'\n${block.script}`).join('\n');
  const argv = [...APART, ...shellArgv(MACHINE + script)];
  const { code, said } = await endingOf(argv, { cwd: ROOT, env: { ...found, PATH } });
  const [before = '', ...parts] = said.split(BEGINS);
  // Root of a container may not make such a machine.
  if (parts.length === 0) return { lines: [`no block ran. ${before.trim()}`] };
  const left = [LEFT_OUT, ...blocks.slice(ready.length).map(({ name }) => name)];
  const away = stop === undefined ? '' : `, for want of ${NEEDS[stop.name]?.filter(isAway).join(', ')}`;
  const last = ready[parts.length - 1]?.name;
  const wrong = code === 0 ? [] : [`the block ${last} ended with ${code}:\n${said.slice(-LAST_WORDS).trim()}`];
  return { lines: [`${parts.length} blocks ran, ${left.length} did not: ${left.join(', ')}${away}.`], wrong };
}

/** The scenario. It takes a minute. */
export const firstStart: Scenario = {
  name: 'first-start',
  about:
    'Runs the blocks of deploy/FIRST-START.md as they stand, as root of a machine of its own. It needs Linux, and root.',
  finds: 'a block that does not do what the next one, or the check at its end, needs',
  defect: {
    file: 'deploy/provision/role.json',
    find: '"dropIndex",',
    replace: '',
  },
  run: started,
};
