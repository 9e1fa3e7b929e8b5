/** `npm run settings`: takes the place of the application's settings (D-30). It is not part of the interface. */
import { Command } from 'commander';
import { documentCategoriesCommand, documentTypesCommand } from './catalogues.ts';
import { addGlobalOptions, contextOf, type Surroundings, withExamples } from './context.ts';
import { deliveriesCommand } from './deliveries.ts';
import { departmentsCommand } from './departments.ts';
import { documentTemplatesCommand } from './document-templates.ts';
import { documentsCommand } from './documents.ts';
import { employeesCommand } from './employees.ts';
import { type ExitCode, runProgram, untilStopped } from './failure.ts';
import { ingestsCommand } from './ingests.ts';
import { keysCommand } from './keys.ts';
import { loginMethodsCommand } from './login-methods.ts';
import { personsCommand } from './persons.ts';
import { tenantsCommand } from './tenants.ts';
import { titledCommand, titledResources } from './titled.ts';
import { trustAnchorsCommand } from './trust-anchors.ts';
import { usersCommand } from './users.ts';
import { webhookEndpointsCommand } from './webhook-endpoints.ts';

const NOTES = `
The database is MONGODB_URI; unset, the one that a running npm start uses; else the embedded one of --data, which is
started for the one command. The tenant is --tenant (name or id), else the environment variable TENANT, else the only one there is.
Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 database unreachable.`;

/** The whole command line. @param surroundings the input and output of its commands */
export function settingsProgram(surroundings: Surroundings): Command {
  const context = contextOf(surroundings);
  const program = new Command('settings')
    .description('The settings of the application: tenants, users, keys, and what the interface reads.')
    .configureHelp({ showGlobalOptions: true });
  addGlobalOptions(program);
  for (const command of [
    tenantsCommand(context),
    usersCommand(context),
    keysCommand(context),
    loginMethodsCommand(context),
    trustAnchorsCommand(context),
    ...titledResources.map((resource) => titledCommand(context, resource)),
    departmentsCommand(context),
    personsCommand(context),
    employeesCommand(context),
    documentTypesCommand(context),
    documentCategoriesCommand(context),
    documentTemplatesCommand(context),
    documentsCommand(context),
    webhookEndpointsCommand(context),
    deliveriesCommand(context),
    ingestsCommand(context),
  ]) {
    program.addCommand(command);
  }
  withExamples(program, [
    'tenants list',
    'keys create --owner Administrator --name Trial --scopes employees:read',
    'users update "HR robot" --hide persons.iin',
    'employees list --status ACTIVE --limit 20 --json',
    'keys create --help',
  ]).addHelpText('after', NOTES);
  prepare(program, surroundings);
  return program;
}

/** Commander copies these settings only to commands made by `.command()`, not to those that are added. */
function prepare(command: Command, surroundings: Surroundings): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: surroundings.stdout, writeErr: surroundings.stderr })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for what is possible, with examples.');
  for (const sub of command.commands) prepare(sub, surroundings);
}

/**
 * Runs one command line.
 * @param argv without the program's own name
 * @returns the exit code
 */
export function settings(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  return runProgram(settingsProgram(surroundings), argv, surroundings.stderr);
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<ExitCode> {
  return settings(argv, {
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
    now: () => new Date(),
    untilStopped,
  });
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
