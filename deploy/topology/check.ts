/** What `npm run server -- check` finds in the topology beside what is so on purpose. */
import { startAlone } from '../../scripts/kit/run-program.ts';
import { processOf, type Topology } from './topology.ts';

/** What is right here: a clock for tests, no docs, no way out; and how busy the machine is, which has one clock. */
const MEANT = /^(program\.(settings|docs) |webhooks\.|database\.(writes|clock) WARN)/;

/** Makes the check as operators do, at an api process. @returns what is wrong or doubtful, a line each */
export async function unmeant(topology: Topology, tries = 3): Promise<string[]> {
  const [place] = topology.places;
  if (place === undefined) return [];
  const { args, env } = processOf(topology, place);
  const url = `https://${topology.words.API_LISTEN}`;
  const running = startAlone('handlers/main.ts', ['check', '--url', url, ...args], env);
  await running.ended;
  const [table = ''] = (running.stdout || running.stderr).split('\n\n');
  const told = table.split(/\n(?=\S)/).filter((line) => !/^(OK|SKIPPED) /.test(line));
  const left = told.map((line) => line.replace(/^(\S+) +(\S+) +/, '$2 $1: ')).filter((line) => !MEANT.test(line));
  // A busy machine has no answer for some checks, and they say so.
  return left.length > 0 && tries > 1 ? unmeant(topology, tries - 1) : left;
}
