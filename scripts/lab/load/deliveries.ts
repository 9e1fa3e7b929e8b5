/** Checks each delivery of a run, which the receiver of the conformance suite takes. */

import { bytesOf, type Delivery } from '../../../conformance/callbacks/delivery.ts';
import { parseSignature, verifies } from '../../../conformance/callbacks/signature.ts';
import { headerOf } from '../../../conformance/http/exchange.ts';
import { jsonOf } from '../../../load/checks.ts';
import type { Deliveries } from '../../../load/report.ts';
import { eventually } from '../../kit/eventually.ts';

const KEPT_PROBLEMS = 100;
/** Receivers reject signatures older than this. */
const SIGNATURE_AGE_MS = 300_000;

/** Checks deliveries after they have arrived. @param arrived gets them; those that were checked are taken away */
export function deliveryChecker(arrived: Delivery[], secret: string) {
  let received = 0;
  const completed = new Set<string>();
  const problems: string[] = [];

  function envelopeProblem(raw: Buffer): string {
    const { id, type, occurred_at, data } = (jsonOf(raw.toString()) ?? {}) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof type !== 'string' || Number.isNaN(Date.parse(String(occurred_at)))) {
      return 'the envelope lacks id, type or occurred_at';
    }
    const { document_id } = (data ?? {}) as { document_id?: unknown };
    if (type.startsWith('document.') && typeof document_id !== 'string') return `${type} names no document`;
    if (type === 'document.completed') completed.add(String(document_id));
    return '';
  }

  /** Checks what has arrived since the last time. @returns what is known of all of them */
  function check(): Deliveries {
    for (const delivery of arrived.splice(0)) {
      received++;
      const problem = signatureProblem(delivery, secret) || envelopeProblem(bytesOf(delivery));
      if (problem !== '' && problems.length < KEPT_PROBLEMS) problems.push(`delivery: ${problem}`);
    }
    return { received, completed: completed.size, problems: [...problems] };
  }

  return {
    check,

    /** Waits until events have reported this many documents as completed, or until the time is over. */
    async waitForCompleted(most: number, withinMs: number): Promise<Deliveries> {
      await eventually('their events', () => check().completed >= most, withinMs).catch(() => {});
      return check();
    },
  };
}

function signatureProblem(delivery: Delivery, secret: string): string {
  const signature = parseSignature(headerOf(delivery, 'Service-Signature'));
  if (signature === undefined) return 'Service-Signature is absent or has another form';
  const ageMs = delivery.at_ms - 1_000 * signature.t;
  if (Math.abs(ageMs) > SIGNATURE_AGE_MS) return 't is older than five minutes, or ahead';
  const isRight = verifies(secret, signature, bytesOf(delivery));
  return isRight ? '' : 'the signature is not over these bytes with this secret';
}
