/**
 * A thread of `npm start`: express-openapi-validator judges what the processes of the service send to its socket. Of what it
 * says, the first is that it is ready, and the last how many disagreements there were.
 */
import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { openCrossCheck } from '../../../contract/cross-check/cross-check.ts';
import { exchangeOf, linesOf } from '../../../contract/cross-check/recorded.ts';

/** So many characters may wait to be judged. What comes beside them is only counted. */
const MOST_WAITING = 256 * 1024 * 1024;

const { contract, place }: { contract: string; place: string } = workerData;
const say = (said: string | number) => parentPort?.postMessage(said);
const check = await openCrossCheck(contract, say);
let waiting = 0;
let unjudged = 0;
let last = Promise.resolve();

async function judge(line: string): Promise<void> {
  await check.judge(exchangeOf(line));
  waiting -= line.length;
}

const server = createServer(async (socket) => {
  for await (const line of linesOf(socket.setEncoding('utf8'))) {
    if (line === '' || waiting + line.length > MOST_WAITING) {
      unjudged += 1;
      continue;
    }
    waiting += line.length;
    last = last.then(() => judge(line));
  }
});
server.listen(place, () => say('ready'));
// By then the processes have ended; what they have sent is still judged.
parentPort?.once('message', () => server.close(end));

async function end(): Promise<void> {
  await last;
  if (unjudged > 0) say(`${unjudged} exchanges were too large, or too many at once, to be judged`);
  const { disagreements } = await check.close();
  say(disagreements);
}
