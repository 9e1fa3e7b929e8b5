import { Binary } from 'bson';
import type { Call, Command } from './command.ts';
import { fail } from './errors.ts';
import { MECHANISM } from './login.ts';
import { document, flag } from './parameters.ts';
import { Conversation } from './scram.ts';
import type { Doc, Value } from './values.ts';

/** A connection has at most one attempt to log in at a time. */
const CONVERSATION = 1;

const refused = (): never => fail(18, 'Authentication failed.');

const textOf = (payload: Value | undefined): string =>
  payload instanceof Binary ? Buffer.from(payload.value()).toString() : refused();

const reply = (payload: string, done: boolean): Doc => ({
  conversationId: CONVERSATION,
  payload: new Binary(Buffer.from(payload)),
  done,
  ok: 1,
});

function saslStart({ body, login }: Call): Doc {
  if (login === undefined || body.mechanism !== MECHANISM) {
    return fail(login ? 334 : 18, login ? `Unsupported mechanism: only ${MECHANISM}` : 'This socket has no users.');
  }
  login.isIn = false;
  login.skipsEmptyExchange = flag(document('options', body.options).skipEmptyExchange);
  login.conversation = Conversation.begin(login.credentials, textOf(body.payload));
  return reply((login.conversation ?? refused()).serverFirst, false);
}

function saslContinue({ body, login }: Call): Doc {
  const message = textOf(body.payload);
  // Some drivers send an empty message and wait for the answer that the login is done.
  if (login?.isIn && message === '') return reply('', true);
  const conversation = login?.conversation;
  if (login === undefined || conversation === undefined) return fail(17, 'No SASL session state found');
  login.conversation = undefined;
  const proof = conversation.finish(message) ?? refused();
  login.isIn = true;
  return reply(proof, login.skipsEmptyExchange);
}

/** The commands with which a client logs in (manual: "Authentication", "SCRAM"). */
export const LOGIN_COMMANDS: Readonly<Record<string, Command>> = {
  saslStart: {
    beforeLogin: true,
    fields: ['saslStart', 'mechanism', 'payload', 'autoAuthorize', 'options'],
    run: saslStart,
  },
  saslContinue: { beforeLogin: true, fields: ['saslContinue', 'conversationId', 'payload'], run: saslContinue },
};
