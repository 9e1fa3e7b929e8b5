import { BSONError } from 'bson';
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

/** Runs a command. */
export async function runCommand(server: Server, { body, documents }: Request): Promise<Answer> {
  const [name = ''] = Object.keys(body);
  const command = COMMANDS.get(name) ?? fail(59, `no such command: '${name}'`);
  checkGeneric(body);
  if (command.fields !== undefined) checkFields(name, body, command.fields);
  const db = typeof body.$db === 'string' ? body.$db : fail(40414, 'OP_MSG requests require a $db argument');
  return command.run({ server, db, body, documents });
}

/** The answer that an error becomes, with MongoDB's code; a bug in this database becomes code 1 and is logged. */
export function errorAnswer(error: unknown): Doc {
  if (error instanceof BSONError) return errorAnswer(new DatabaseError(22, error.message));
  if (error instanceof DatabaseError) {
    return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.details };
  }
  console.error('embedded-db: a command failed:', error);
  return errorAnswer(new DatabaseError(1, `internal error: ${(error as Error).message}`));
}
