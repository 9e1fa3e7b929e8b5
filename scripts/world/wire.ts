/** HTTP as bytes on a socket, for requests that no HTTP client would send. */
import { connect, type Socket } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The answers in a stream of bytes, in their order. */
export function answersIn(text: string): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? Number.NaN);
    const length = status === 100 ? 0 : Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) break;
    answers.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** The result of a connection: its answers, and whether the other side closed it. */
export interface WireOutcome {
  readonly text: string;
  readonly answers: WireAnswer[];
  readonly closed: boolean;
}

interface WireOptions {
  /** Done as soon as this many answers are complete; otherwise when the connection closes. */
  readonly answers?: number;
  readonly deadlineMs?: number;
}

/** Sends raw bytes and collects the answers as latin1 text, so that lengths are bytes. */
export function exchange(port: number, bytes: string | Buffer, options: WireOptions = {}): Promise<WireOutcome> {
  const { answers = Number.POSITIVE_INFINITY, deadlineMs = 60_000 } = options;
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let text = '';
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, answers: answersIn(text), closed });
    };
    const timer = setTimeout(() => done(false), deadlineMs);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (answersIn(text).length >= answers) done(false);
    });
    socket.on('error', () => done(true)).on('close', () => done(true));
    socket.write(bytes);
  });
}

/** A request as bytes. @param head further lines of the head */
export function requestText(line: string, head: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...head, '', body].join('\r\n');
}
