/** What express-openapi-validator says of many exchanges. */
import { compare } from './compare.ts';
import { startSecondValidator } from './judge.ts';
import type { RecordedExchange } from './recorded.ts';

interface CrossCheck {
  /** Says at once where the two disagree; the same about further exchanges is only counted. */
  judge(exchange: RecordedExchange): Promise<void>;
  /** Says the counts. @returns how much was judged, and how much of it in two ways */
  close(): Promise<{ readonly judged: number; readonly disagreements: number }>;
}

/** @param contract path of the OpenAPI document @param say gets words that hold no value of anybody */
export async function openCrossCheck(contract: string, say: (text: string) => void): Promise<CrossCheck> {
  const second = await startSecondValidator(contract);
  const stated = new Map<string, number>();
  const said = new Set<string>();
  let [judged, disagreements] = [0, 0];
  return {
    async judge(exchange) {
      for (const verdict of await compare(exchange, second)) {
        judged += 1;
        if (verdict.kind === 'stated') stated.set(verdict.reason, (stated.get(verdict.reason) ?? 0) + 1);
        if (verdict.kind !== 'disagreement') continue;
        disagreements += 1;
        if (!said.has(verdict.text)) say(`DISAGREEMENT ${verdict.text}`);
        said.add(verdict.text);
      }
    },
    async close() {
      await second.close();
      for (const [reason, count] of [...stated].sort()) say(`${String(count).padStart(6)} refused by ${reason}`);
      say(`${judged} judgements, ${disagreements} disagreements`);
      return { judged, disagreements };
    },
  };
}
