/** Asks questions and reads answers, line by line. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { noProfile } from './answers.ts';

export interface Terminal {
  /** @throws Failure if the person gives up (Ctrl-C, or the end of input) */
  ask(question: string): Promise<string>;
  say(text: string): void;
  close(): void;
}

/** Lines that arrive before a question (pasted ones) are kept for the next questions. */
export function openTerminal(input: Readable & { isTTY?: boolean }, output: Writable): Terminal {
  const lines = createInterface({ input, output, terminal: input.isTTY === true, historySize: 0 });
  const answers = lines[Symbol.asyncIterator]();
  let isOver = false;
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => {
    isOver = true;
  });
  return {
    async ask(question) {
      lines.setPrompt(question);
      if (isOver) output.write(question);
      else lines.prompt();
      const { value, done } = await answers.next();
      if (!done) return value;
      output.write('\n');
      return noProfile(['cancelled; nothing was changed.']);
    },
    say: (text) => void output.write(`${text}\n`),
    close: () => lines.close(),
  };
}
