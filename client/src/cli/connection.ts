/** The service that a command talks to, and what its refusals mean for a person. */
import { DeveloperApi } from '../client.ts';
import { ApiError, ConnectionError, DeveloperApiError, TimeoutError } from '../errors.ts';
import { isSendableKey } from '../transport.ts';
import { type CommandContext, CommandError, EXIT, urlOf } from './command-line.ts';
import { isLoopback, type StartFolder, startFolder } from './start-folder.ts';

const USUAL_URL = 'http://127.0.0.1:8080';

export const CONNECTION_OPTIONS = {
  url: ['URL', `where the service is (default: that of the folder, or ${USUAL_URL})`],
  data: ['folder', 'the data folder of npm start, for its address, a key and its certificate (default: .data)'],
} as const;

export const CONNECTION_NOTES = 'The key is the variable KEY, or that of the folder of npm start.';

export interface Connection {
  readonly url: URL;
  /** The `npm start` of this machine that the URL belongs to. */
  readonly start: StartFolder | undefined;
  /** @throws CommandError if there is no key */
  client(apiKey?: string): DeveloperApi;
}

export function connectionOf(
  { url: given, data = '.data' }: { readonly url?: string; readonly data?: string },
  { env }: CommandContext,
): Connection {
  const found = startFolder(data);
  if (found === undefined && data !== '.data') {
    throw new CommandError(EXIT.refused, `${data} is not the data folder of an npm start: it has no tour.env.`);
  }
  const url = urlOf('url', given ?? found?.facts.API ?? USUAL_URL, 'http:', 'https:');
  const start = isLoopback(url) ? found : undefined;
  return {
    url,
    start,
    client(apiKey = env.KEY || start?.facts.KEY) {
      if (!apiKey) throw new CommandError(EXIT.usage, 'Set the variable KEY to a key with the scope webhooks:manage.');
      if (!isSendableKey(apiKey)) {
        throw new CommandError(EXIT.usage, 'The key has a blank, a line end or another character that no key has.');
      }
      // A person waits.
      return new DeveloperApi({ apiKey, baseUrl: url.href, maxRetries: 1, timeoutMs: 20_000 });
    },
  };
}

/** An error of the client as a sentence; any other error as it is. */
export function explained(error: unknown): unknown {
  if (!(error instanceof DeveloperApiError)) return error;
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return new CommandError(EXIT.unreachable, `The service does not answer: ${error.message}. Does it run at --url?`);
  }
  return new CommandError(EXIT.refused, `${error.message}${error instanceof ApiError ? meaningOf(error) : ''}`);
}

function meaningOf({ status, reason, metadata, fieldViolations }: ApiError): string {
  if (status === 401)
    return '\nThe service does not accept the key, which is that of KEY or of the folder of npm start.';
  if (reason === 'DEVELOPER.SCOPE_INSUFFICIENT') return `\nThe key needs the scope ${metadata.required_scope}.`;
  return fieldViolations.map(({ field, description }) => `\n${field} ${description}`).join('');
}
