/** Starts express-openapi-validator as a second validator, in a thread of `npm start`. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '../../../kit/leftovers.ts';
import { preloading } from '../../../kit/run-program.ts';

export interface RunningSecondValidator {
  /** The variables with which a process of the service sends it what it was asked and what it answered. */
  readonly env: Readonly<Record<string, string>>;
  /** Has it judge what it got; it then says the counts. To be called when those processes have ended. @returns whether it agreed with all of it */
  end(): Promise<boolean>;
}

/**
 * @param contract path of the OpenAPI document
 * @param died called if it fails later
 * @param say gets each disagreement at once, why it fails, and the counts at the end
 * @throws Error if it cannot start
 */
export async function startSecondValidator(
  contract: string,
  died: (reason: string) => void,
  say: (text: string) => void,
): Promise<RunningSecondValidator> {
  const place = join(temporaryFolder('second-validator-'), 'socket');
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { contract, place } });
  await once(worker, 'message');
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  worker.on('message', (said: string | number) => (typeof said === 'string' ? say(said) : resolve(said === 0)));
  worker.once('exit', () => resolve(false));
  worker.on('error', ({ message }: Error) => {
    say(`The second validator failed: ${message}`);
    died('The second validator has ended.');
  });
  return {
    env: { SECOND_VALIDATOR: place, ...preloading(new URL('./tap.ts', import.meta.url)) },
    end() {
      worker.postMessage('end');
      return ended;
    },
  };
}
