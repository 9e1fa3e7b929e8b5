import type { Conversation, Credentials } from './scram.ts';

export const MECHANISM = 'SCRAM-SHA-256';

/**
 * The login state of a connection through the TCP port. Connections through the Unix socket have none: only the owner
 * of the data can open the socket.
 */
export class Login {
  readonly credentials: Credentials;
  /** Whether the password was right. Before that, only the commands of `commands-login.ts` and hello are answered. */
  isIn = false;
  /** The attempt that waits for the client's proof. */
  conversation: Conversation | undefined;
  skipsEmptyExchange = false;

  constructor(credentials: Credentials) {
    this.credentials = credentials;
  }
}
