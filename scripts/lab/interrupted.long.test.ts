/** A scenario that is interrupted leaves no process and no folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventually } from '../kit/eventually.ts';
import { startAlone } from '../kit/run-program.ts';
import { testFolder } from '../kit/testing/test-folder.ts';

/** Linux lists which processes a thread has started. */
const childrenOf = (pid: number): number[] => {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number) : [];
};
const lives = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

/** Each scenario must leave it empty. */
const folder = testFolder();
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux.each(['crash', 'deliveries'])('%s ends all that it started, and removes what it wrote', async (name) => {
  const lab = startAlone('scripts/lab/main.ts', [name], { TMPDIR: folder });
  const started = await eventually('the processes of the scenario', () => {
    if (lab.hasEnded) throw new Error(`The scenario ended: ${lab.stderr}`);
    const children = childrenOf(lab.pid);
    return children.length >= 2 ? children : undefined;
  });
  expect(readdirSync(folder)).not.toEqual([]);
  expect(await lab.stop('SIGTERM')).toBe(128 + 15);
  await eventually('the end of what it started', () => started.every((pid) => !lives(pid)));
  expect(readdirSync(folder)).toEqual([]);
});
