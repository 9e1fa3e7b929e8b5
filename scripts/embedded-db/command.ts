import type { Catalogue } from './catalogue.ts';
import type { Cursors } from './cursors.ts';
import type { Database } from './database.ts';
import type { Doc } from './values.ts';
import type { Request } from './wire.ts';

/** What commands work with. */
export interface Server {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly cursors: Cursors;
}

/** One command from a client. */
export interface Call {
  readonly server: Server;
  readonly db: string;
  readonly body: Doc;
  readonly documents: Request['documents'];
}

export type Answer = Doc | Buffer;

/** A command: what it does, and its known fields if unknown ones are refused. */
export interface Command {
  readonly fields?: readonly string[];
  readonly run: (call: Call) => Answer | Promise<Answer>;
}
