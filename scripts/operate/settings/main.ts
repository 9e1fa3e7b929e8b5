/** `npm run settings`: takes the place of the application's settings (D-30). It is not part of the interface. */

import { now } from '../../../handlers/runtime/clock.ts';
import { runProgram, standardOutput } from '../../kit/command-line.ts';
import { runMain, untilStopped } from '../../kit/ending.ts';
import type { Group } from './command.ts';
import { type Surroundings, settingsProgram } from './terminal.ts';

/** All commands, in the order in which help lists them. Each group brings modules that only its own commands need. */
export const groups: Readonly<Record<string, () => Promise<Group>>> = {
  tenants: async () => (await import('./tenants.ts')).tenants,
  users: async () => (await import('./users.ts')).users,
  keys: async () => (await import('./keys.ts')).keys,
  'login-methods': async () => (await import('./login-methods.ts')).loginMethods,
  'trust-anchors': async () => (await import('./trust-anchors.ts')).trustAnchors,
  organizations: async () => (await import('./titled.ts')).organizations,
  'job-titles': async () => (await import('./titled.ts')).jobTitles,
  locations: async () => (await import('./titled.ts')).locations,
  departments: async () => (await import('./departments.ts')).departments,
  persons: async () => (await import('./persons.ts')).persons,
  employees: async () => (await import('./employees.ts')).employees,
  'document-types': async () => (await import('./catalogues.ts')).documentTypes,
  'document-categories': async () => (await import('./catalogues.ts')).documentCategories,
  'document-templates': async () => (await import('./document-templates.ts')).documentTemplates,
  documents: async () => (await import('./documents.ts')).documents,
  'webhook-endpoints': async () => (await import('./webhook-endpoints.ts')).webhookEndpoints,
  deliveries: async () => (await import('./deliveries.ts')).deliveries,
  ingests: async () => (await import('./ingests.ts')).ingests,
  audit: async () => (await import('./audit.ts')).audit,
  conformance: async () => (await import('./conformance.ts')).conformance,
};

const HELP: readonly string[] = ['-h', '--help', 'help'];

/** The groups that the command line names. If none is named before a request for help, all of them. */
async function groupsFor(argv: readonly string[]): Promise<Record<string, Group>> {
  const help = argv.findIndex((word) => HELP.includes(word));
  const words = help === -1 ? argv : argv.slice(0, help);
  const named = Object.keys(groups).filter((name) => words.includes(name));
  const chosen = named.length > 0 ? named : Object.keys(groups);
  const loaded = chosen.map(async (name) => [name, await groups[name]?.()] as const);
  return Object.fromEntries(await Promise.all(loaded)) as Record<string, Group>;
}

/** Runs one command line. @param argv without the program's own name @returns the exit code */
export async function settings(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  return runProgram(settingsProgram(await groupsFor(argv), surroundings), argv);
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  return settings(argv, {
    ...standardOutput,
    env: process.env,
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
    now,
    untilStopped,
  });
}

if (import.meta.main) await runMain(main);
