/** Faults that the rules of shares.rules.ts must catch. */
import type { Alter, Fault, ProxiedAnswer } from '../mutation/fault.ts';

/** All requests stand in one queue, whoever sends them. */
const inOneQueue: Alter = (asked, forward, memory) => {
  const before = Promise.resolve(memory.notes.get('queue') as Promise<ProxiedAnswer> | undefined);
  if (memory.notes.has('queue')) memory.mark();
  const mine = before.catch(() => {}).then(() => forward(asked));
  memory.notes.set('queue', mine);
  return mine;
};

export const faults: readonly Fault[] = [
  ...['GEN-21', 'GEN-22'].map((rule) => ({
    id: `${rule.toLowerCase()}-one-queue`,
    rule,
    breaks: 'requests are served in the order of their arrival, whoever sends them',
    alter: inOneQueue,
  })),
];
