/** `trigger`: events to try a receiver with. */
import { eventTypes } from '../../../generated/client/calls.ts';
import type { WebhookEventType } from '../types.ts';
import { type CommandContext, CommandError, type CommandWords, EXIT, parsed } from './command-line.ts';
import { CONNECTION_NOTES, CONNECTION_OPTIONS, type Connection, connectionOf } from './connection.ts';
import { whyTestFailed } from './reasons.ts';
import type { StartFolder } from './start-folder.ts';

const TEST = 'webhook_endpoint.test';

/**
 * Causes an event by doing what it tells of, in an `npm start` of this machine.
 * @returns the object that the event is about, as `data` of the event names it
 */
export type EventCause = (type: WebhookEventType, start: StartFolder) => Promise<Readonly<Record<string, string>>>;

const OPTIONS = {
  endpoint: ['id', `the endpoint that gets ${TEST}; listen prints it`],
  ...CONNECTION_OPTIONS,
} as const;

const FLAGS = { json: 'print one line of JSON for each event' } as const;

const notes = (name: string) => `
Events, of which all means each but the first:
${[TEST, ...eventTypes].map((type) => `  ${type}`).join('\n')}

${TEST} works with every service. The others are made by doing what they tell of, with invented employees and
documents of an npm start on this machine, by npm run webhooks. Elsewhere, change an employee or a document yourself.
${CONNECTION_NOTES}
Exit codes: 0 done, 1 refused, or the test was not answered with 2xx, 2 wrong usage, 3 the service does not answer.

Examples:
  ${name} trigger --endpoint ENDPOINT_ID
  npm run webhooks -- trigger employee.changed document.completed`;

export const TRIGGER: CommandWords<keyof typeof OPTIONS, keyof typeof FLAGS> = {
  takes: `[event …]  (default: ${TEST})`,
  about: 'Causes events.',
  options: OPTIONS,
  flags: FLAGS,
  notes,
};

/** @param cause what causes events other than the test; without it they are refused @returns the exit code */
export async function trigger(argv: readonly string[], context: CommandContext, cause?: EventCause): Promise<number> {
  const { options, flags, words } = parsed(argv, TRIGGER);
  const given = words.length === 0 ? [TEST] : words;
  const types = given.flatMap((word) => (word === 'all' ? eventTypes : [word]));
  const unknown = types.filter((type) => type !== TEST && !isEventType(type));
  if (unknown.length > 0) throw new CommandError(EXIT.usage, `There is no event ${unknown.join(', ')}. See --help.`);
  const connection = connectionOf(options, context);
  const isGood: boolean[] = [];
  const show = (type: string, text: string, facts: object) =>
    context.stdout(
      flags.has('json') ? `${JSON.stringify({ event: 'caused', type, ...facts })}\n` : `${type}  ${text}\n`,
    );
  for (const type of types) {
    if (isEventType(type)) {
      const data = await causing(connection, cause)(type);
      const [[name = '', id = ''] = []] = Object.entries(data);
      show(type, `${name}=${id}`, { data });
      continue;
    }
    if (options.endpoint === undefined)
      throw new CommandError(EXIT.usage, `Say which endpoint gets ${TEST}: --endpoint ID.`);
    const { status_code, error } = await connection.client().webhookEndpoints.test(options.endpoint);
    isGood.push(status_code >= 200 && status_code < 300);
    show(type, status_code === 0 ? whyTestFailed(error) : `answered with ${status_code}`, { status_code, error });
  }
  return isGood.includes(false) ? EXIT.refused : EXIT.ok;
}

const isEventType = (word: string): word is WebhookEventType => (eventTypes as readonly string[]).includes(word);

/** @throws CommandError where nothing here can do what the event tells of */
function causing({ start, url }: Connection, cause: EventCause | undefined) {
  return (type: WebhookEventType) => {
    if (cause !== undefined && start !== undefined) return cause(type, start);
    throw new CommandError(
      EXIT.usage,
      `${type} is caused by doing what it tells of. For an npm start on this machine, npm run webhooks -- trigger does that; ` +
        `at ${url.origin}, change an employee or a document yourself.`,
    );
  };
}
