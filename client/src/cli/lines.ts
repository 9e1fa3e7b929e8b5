/** Deliveries as lines for a person. */
import { escaped } from '../text.ts';
import type { DeliveryReport } from './deliveries.ts';

const clockTime = (time: string) => {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
};

/** Text of several lines without what would steer a terminal. */
export const printable = (text: string): string => text.split('\n').map(escaped).join('\n');

/** One line for a delivery, and one more for what went wrong. */
export function linesOf(report: DeliveryReport): string {
  const { received_at, fault, envelope, attempt, latency_ms, status, duration_ms, problem, next_attempt_at } = report;
  const parts =
    envelope === undefined
      ? [`refused: ${fault}`, String(status)]
      : [
          envelope.type,
          ...Object.entries(envelope.data).map(
            ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
          ),
          `attempt ${attempt}`,
          `after ${latency_ms} ms`,
          `${status} in ${duration_ms} ms`,
          `event=${envelope.id}`,
        ];
  const lines = [[clockTime(received_at), ...parts].join('  ')];
  if (problem !== '') lines.push(`          ${problem}${againWords(envelope?.type, fault, next_attempt_at)}`);
  return `${lines.map(escaped).join('\n')}\n`;
}

function againWords(type: string | undefined, fault: string, next: string | null): string {
  if (fault !== '') return '';
  if (next !== null) return ` The service delivers it again at about ${clockTime(next)}.`;
  return type === 'webhook_endpoint.test' ? ' A test is not repeated.' : ' This was the last attempt.';
}
