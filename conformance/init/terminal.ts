/** Asks questions and reads answers, line by line. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { BadChoice } from './choices.ts';

export interface Terminal {
  /** @throws BadChoice if the person gives up (Ctrl-C, or the end of input) */
  ask(question: string): Promise<string>;
  say(text: string): void;
  close(): void;
}

/** Lines that arrive before a question (pasted ones) are kept for the next questions. */
export function openTerminal(input: Readable & { isTTY?: boolean }, output: Writable): Terminal {
  const lines = createInterface({ input, output, terminal: input.isTTY === true, historySize: 0 });
  const waiting: string[] = [];
  let wanted: ((line: string) => void) | undefined;
  let refused: ((why: Error) => void) | undefined;
  let over = false;
  const givenUp = () => new BadChoice(['cancelled; nothing was changed.']);
  lines.on('line', (line) => {
    if (wanted) wanted(line);
    else waiting.push(line);
  });
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => {
    over = true;
    if (!refused) return;
    output.write('\n');
    refused(givenUp());
  });
  return {
    ask(question) {
      const kept = waiting.shift();
      if (kept !== undefined) {
        output.write(`${question}${kept}\n`);
        return Promise.resolve(kept);
      }
      if (over) return Promise.reject(givenUp());
      return new Promise<string>((resolve, reject) => {
        [wanted, refused] = [resolve, reject];
        lines.setPrompt(question);
        lines.prompt();
      }).finally(() => {
        wanted = undefined;
        refused = undefined;
      });
    },
    say: (text) => void output.write(`${text}\n`),
    close: () => lines.close(),
  };
}
