/** Every kind of answer that a receiver may give, with what follows from it: one table for `_test` and for deliveries. */
import type { Reaction } from '../../callbacks/delivery.ts';

/** An empty answer, after which the connection ends. */
const plainAnswer = (status: number): string =>
  `HTTP/1.1 ${status} Words\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

/** `100 Continue` to a request that did not ask for it, as some servers send it. */
const UNASKED = 'HTTP/1.1 100 Continue\r\n\r\n';

/** So many interim answers. */
const interim = (times: number): string => 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(times);

/** An error that `_test` tells; `broken` is any. */
type TestError = 'timeout' | 'protocol_error' | 'broken';

export interface ReceiverAnswer {
  readonly what: string;
  /** @param elsewhere the address of another endpoint */
  readonly reaction: (elsewhere: string) => Reaction;
  /** The status that decides, or why there is none. A status of 2xx is a success. */
  readonly outcome: number | TestError;
  /** An event is sent again at once where the connection was used before. */
  readonly isTestOnly?: true;
}

export interface AnswerKind {
  readonly id: string;
  readonly text: string;
  readonly isSlow?: true;
  readonly answers: readonly ReceiverAnswer[];
}

export const isSuccess = ({ outcome }: ReceiverAnswer): boolean =>
  typeof outcome === 'number' && outcome >= 200 && outcome < 300;

const statuses = (...all: readonly number[]): ReceiverAnswer[] =>
  all.map((answer) => ({ what: `status ${answer}`, reaction: () => ({ answer }), outcome: answer }));

const redirect = (answer: number, to: (elsewhere: string) => string, what: string): ReceiverAnswer => ({
  what: `a ${answer} to ${what}`,
  reaction: (elsewhere) => ({ answer, location: to(elsewhere) }),
  outcome: answer,
});

const late = (what: string, reaction: Reaction, outcome: ReceiverAnswer['outcome']): ReceiverAnswer => ({
  what,
  reaction: () => reaction,
  outcome,
});

const raw = (what: string, outcome: ReceiverAnswer['outcome'], ...parts: readonly string[]): ReceiverAnswer =>
  late(what, { answer: 'raw', parts }, outcome);

/** Each comes before a success and before a refusal. */
const skipped: ReceiverAnswer[] = (
  [
    ['100', UNASKED],
    ['32 interim answers', interim(32)],
    ['interim answers in pieces', 'HT', 'TP/1.1 100 Con', 'tinue\r\n\r', '\nHTTP/1.1 10', '3 Early\r\n\r\n'],
    ['100 with fields', 'HTTP/1.1 100 Continue\r\nServer: x\r\nContent-Length: 5\r\n\r\n'],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103', interim(1)],
    ['an unknown 1xx', 'HTTP/1.1 199 Words\r\n\r\n'],
  ] as const
).flatMap(([what, ...parts]) =>
  [200, 503].map((status) => raw(`${what} before a ${status}`, status, ...parts, plainAnswer(status))),
);

const HEAD = 'HTTP/1.1 200 OK\r\n';

const notAllowed: ReceiverAnswer[] = (
  [
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['101', 'HTTP/1.1 101 Switching\r\nUpgrade: ws\r\nConnection: upgrade\r\n\r\n'],
    ['a 33rd interim answer', interim(33) + plainAnswer(200)],
    ['two lengths', `${HEAD}Content-Length: 0\r\nContent-Length: 5\r\n\r\nabcde`],
    ['a length beside chunks', `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a head of 64 KiB', `${HEAD}X: ${'x'.repeat(65_536)}\r\n\r\n`],
    ['HTTP/0.9', '<html></html>'],
    ['a malformed status', 'HTTP/1.1 20x OK\r\n\r\n'],
    ['lines without CR', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['a field without a colon', `${HEAD}X\r\n\r\n`],
  ] as const
).map(([what, answer]) => raw(what, 'protocol_error', answer));

export const answerKinds: readonly AnswerKind[] = [
  {
    id: 'DLV-1',
    text: 'An answer of the receiver with any 2xx status is a success: the event is not sent again, and _test tells the status.',
    answers: statuses(200, 201, 202, 204, 206, 299, 218),
  },
  {
    id: 'DLV-2',
    text: 'An answer of the receiver with another status is a failure: the event is sent again, and _test tells the status and nothing else of the answer.',
    answers: statuses(300, 304, 400, 410, 429, 500, 503, 401, 404, 408, 418, 599),
  },
  {
    id: 'DLV-17',
    text: 'A redirect by the receiver is a failure, is reported as such by _test, and is never followed.',
    answers: [
      ...[301, 302, 303, 307, 308].map((status) => redirect(status, (url) => url, 'another endpoint')),
      redirect(302, (url) => new URL(url).pathname, 'a path'),
      redirect(302, (url) => url.replace('https:', 'http:'), 'an address without TLS'),
      redirect(302, () => 'http://127.0.0.1/', 'this machine'),
    ],
  },
  {
    id: 'DLV-3',
    text: 'A receiver may take more than eight seconds to answer.',
    isSlow: true,
    answers: [late('a head after 8.5 s', { answer: 200, delayMs: 8_500 }, 200)],
  },
  {
    id: 'DLV-4',
    text: 'A receiver that takes eleven seconds, head and body together, has failed; _test then says timeout.',
    isSlow: true,
    answers: [
      late('a head after 11 s', { answer: 200, delayMs: 11_000 }, 'timeout'),
      late('a body after 11.5 s', { answer: 'slow_body', delayMs: 11_500 }, 'timeout'),
      late('no answer', { answer: 'hang' }, 'timeout'),
      late('byte by byte', { answer: 'trickle', delayMs: 12_000 }, 'timeout'),
    ],
  },
  {
    id: 'DLV-19',
    text: 'A connection that ends within the head of the answer is a failure; _test has an error for it, and for one that ends before.',
    answers: [
      raw('an end within the head', 'broken', 'HTTP/1.1 200 OK\r\nContent-Le'),
      { ...late('an end without a byte', { answer: 'reset' }, 'broken'), isTestOnly: true },
    ],
  },
  {
    id: 'DLV-20',
    text: 'An answer of the receiver that never ends is cut off; its status decides.',
    answers: [late('an endless body', { answer: 'endless' }, 200)],
  },
  {
    id: 'DLV-21',
    text: 'Interim answers of the receiver, up to 32 and also unasked, are skipped: the status of the final answer decides.',
    answers: skipped,
  },
  {
    id: 'WHK-31',
    text: 'An answer of a receiver that HTTP/1.1 does not allow, 101, or a 33rd interim answer is a failure, and a protocol_error of _test.',
    answers: notAllowed,
  },
];
