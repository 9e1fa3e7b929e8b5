/** `npm run settings`: takes the place of the application's settings (D-30). It is not part of the interface. */
import { runProgram, standardOutput, untilStopped } from '../command-line.ts';
import { documentCategories, documentTypes } from './catalogues.ts';
import type { Group } from './command.ts';
import { deliveries } from './deliveries.ts';
import { departments } from './departments.ts';
import { documentTemplates } from './document-templates.ts';
import { documents } from './documents.ts';
import { employees } from './employees.ts';
import { ingests } from './ingests.ts';
import { keys } from './keys.ts';
import { loginMethods } from './login-methods.ts';
import { persons } from './persons.ts';
import { tenants } from './tenants.ts';
import { type Surroundings, settingsProgram } from './terminal.ts';
import { titledGroups } from './titled.ts';
import { trustAnchors } from './trust-anchors.ts';
import { users } from './users.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** All commands, in the order in which help lists them. */
const groups: Readonly<Record<string, Group>> = {
  tenants,
  users,
  keys,
  'login-methods': loginMethods,
  'trust-anchors': trustAnchors,
  ...titledGroups,
  departments,
  persons,
  employees,
  'document-types': documentTypes,
  'document-categories': documentCategories,
  'document-templates': documentTemplates,
  documents,
  'webhook-endpoints': webhookEndpoints,
  deliveries,
  ingests,
};

/** Runs one command line. @param argv without the program's own name @returns the exit code */
export function settings(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  return runProgram(settingsProgram(groups, surroundings), argv);
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  return settings(argv, {
    ...standardOutput,
    env: process.env,
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
    now: () => new Date(),
    untilStopped,
  });
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
