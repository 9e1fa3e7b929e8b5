import type { Contract, KeyPath } from './read.ts';

/** What is wrong, where, and what to do. */
export interface Finding {
  place: KeyPath;
  message: string;
}

/** A house rule checks the whole document and reports every place that breaks it. */
export type Rule = (contract: Contract) => Finding[];
