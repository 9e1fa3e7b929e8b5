import type { Catalogue } from './catalogue.ts';
import type { Cursors } from './cursors.ts';
import type { Database } from './database.ts';
import type { Login } from './login.ts';
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
  /** The login state of a connection that needs the password; undefined for one that needs none. */
  readonly login: Login | undefined;
}

export type Answer = Doc | Uint8Array;

/** A command: what it does, and its known fields if unknown ones are refused. */
export interface Command {
  /** Whether a client may send it before it has logged in. */
  readonly beforeLogin?: true;
  readonly fields?: readonly string[];
  readonly run: (call: Call) => Answer | Promise<Answer>;
}
