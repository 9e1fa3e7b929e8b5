/** What went wrong with a delivery, in words. */
import type { IncomingMessage } from 'node:http';
import { verifyWebhook, type WebhookFault } from '../webhooks.ts';

const SECOND_MS = 1_000;
/** A difference of clocks that cannot come from the rounding of `Date` and the way to the service. */
const CLOCK_FAULT_MS = 30_000;
const MAX_AGE_S = 300;

/** What is known of a delivery that was refused. */
export interface RefusedDelivery {
  readonly request: IncomingMessage;
  readonly body: Uint8Array;
  readonly header: string | undefined;
  readonly secrets: readonly string[];
  readonly path: string | undefined;
  readonly signedMs: number;
  readonly receivedMs: number;
  readonly clockAheadMs: () => number | undefined;
}

export const WHY_TOO_LARGE = 'It has more than 64 KiB: it is not from the service, whose events are small.';

/** Why a delivery is not genuine, and what to do. */
export async function whyRefused(fault: WebhookFault, refused: RefusedDelivery): Promise<string> {
  switch (fault) {
    case 'no signature':
      return 'It has no Service-Signature: it is not from the service, or the tunnel drops the header.';
    case 'malformed signature':
      return 'Its Service-Signature is not t=<seconds>,v1=<hex>: it is not from the service, or the tunnel changes headers.';
    case 'wrong signature':
      return `Wrong signature: ${await whyWrong(refused)}`;
    case 'too old':
    case 'too far ahead':
      return whyNotNow(refused);
    case 'no event':
      return 'It is signed, but its body is no event.';
  }
}

/** Tries what changes a body on its way. */
async function whyWrong({ request, body, header, secrets, path, signedMs }: RefusedDelivery): Promise<string> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined)
    return `the tunnel encodes the body (${encoding}), and the signature is of the bytes before.`;
  // The age does not matter here.
  const fits = (text: string) =>
    verifyWebhook(text, header, secrets, { nowMs: signedMs }).then(
      () => true,
      () => false,
    );
  const text = Buffer.from(body).toString();
  if (await fits(text.trim())) return 'the tunnel adds blanks or a line end to the body.';
  if (await fits(compact(text))) return 'the tunnel writes the JSON anew; the raw bytes are what is signed.';
  if (path !== undefined && request.url !== path) {
    return `it came to ${request.url} and is for another endpoint than this one (${path}), such as one that a killed listen has left.`;
  }
  return 'it is signed with the secret of another endpoint, its body was changed, or it is not from the service.';
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function whyNotNow({ signedMs, receivedMs, clockAheadMs }: RefusedDelivery): string {
  const aheadMs = clockAheadMs();
  const agoS = Math.round((receivedMs - signedMs) / SECOND_MS);
  const when = agoS < 0 ? `${-agoS} s ahead of this clock` : `${agoS} s ago`;
  const age = `It was signed ${when}, and ${MAX_AGE_S} s are allowed`;
  if (aheadMs === undefined) return `${age}: this clock is wrong, or it was held on its way or recorded.`;
  if (Math.abs(aheadMs) < CLOCK_FAULT_MS) return `${age}: it was held on its way, or recorded and sent again.`;
  const [seconds, way] = [Math.round(Math.abs(aheadMs) / SECOND_MS), aheadMs > 0 ? 'ahead of' : 'behind'];
  return `${age}: this clock is ${seconds} s ${way} the service's, so set it.`;
}

/** Why an answer is a failure for the service; '' if it is none. @param source who wanted it */
export function whyAnswered(status: number, source = 'as your program answered'): string {
  if (status >= 200 && status < 300) return '';
  if (status >= 300 && status < 400)
    return `${status}, ${source}: the service follows no redirect and takes it as a failure.`;
  return `${status}, ${source}: the service takes it as a failure.`;
}

/** Why a program gave no answer. @param code `late`, or that of the error */
export function whyLocalFailed(code: string, { href }: URL): string {
  if (code === 'late') return `${href} did not answer within 10 s, which is as long as the service waits.`;
  if (code === 'ECONNREFUSED') return `Nothing listens at ${href}: start your program.`;
  return `The connection to ${href} failed (${code}).`;
}

/** Why a test reached nobody, by the class of error that the service answers with. */
export function whyTestFailed(error: string): string {
  const reasons: Readonly<Record<string, string>> = {
    dns_error: 'the name in the URL of the endpoint does not resolve.',
    connect_error: 'nobody accepts connections at the URL of the endpoint: does the tunnel run?',
    tls_error: 'the certificate at the URL of the endpoint is not valid for its name.',
    timeout:
      'no answer came within 10 s: either the URL of the endpoint leads nowhere, or the program behind it is slow.',
    address_denied: 'the address of the endpoint is not public.',
    protocol_error: 'what answers at the URL of the endpoint does not speak HTTP/1.1 as it must.',
  };
  return reasons[error] ?? error;
}
