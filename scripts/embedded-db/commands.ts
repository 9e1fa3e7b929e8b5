import type { Answer, Command, Server } from './command.ts';
import { ADMIN_COMMANDS } from './commands-admin.ts';
import { READ_COMMANDS } from './commands-read.ts';
import { WRITE_COMMANDS } from './commands-write.ts';
import { DatabaseError, fail } from './errors.ts';
import { checkFields, checkGeneric } from './parameters.ts';
import type { Doc } from './values.ts';
import type { Request } from './wire.ts';

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [ADMIN_COMMANDS, READ_COMMANDS, WRITE_COMMANDS].flatMap((group) => Object.entries(group)),
);

/**
 * Runs a command. An error becomes an answer with MongoDB's code; a bug in this database becomes code 1 and is logged.
 */
export async function runCommand(server: Server, { body, documents }: Request): Promise<Answer> {
  const [name = ''] = Object.keys(body);
  try {
    const command = COMMANDS.get(name) ?? fail(59, `no such command: '${name}'`);
    checkGeneric(body);
    if (command.fields !== undefined) checkFields(name, body, command.fields);
    const db = typeof body.$db === 'string' ? body.$db : fail(40414, 'OP_MSG requests require a $db argument');
    return await command.run({ server, db, body, documents });
  } catch (error) {
    return errorAnswer(name, error);
  }
}

function errorAnswer(name: string, error: unknown): Doc {
  if (error instanceof DatabaseError) {
    return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.details };
  }
  console.error(`embedded-db: ${name} failed:`, error);
  return { ok: 0, errmsg: `internal error: ${(error as Error).message}`, code: 1, codeName: 'InternalError' };
}
