/** Makes the MongoDB clients of a process report the commands that they send, and judges these. */
import { MongoClient } from 'mongodb';
import { judge, type Verdict } from './judge.ts';

/** Judges the commands of one client, beginning with its next connection. @param onVerdict gets each verdict */
export function watch(client: MongoClient, onVerdict: (verdict: Verdict) => void): void {
  client.options.monitorCommands = true;
  client.on('commandStarted', ({ command }) => {
    const verdict = judge(command);
    if (verdict !== undefined) onVerdict(verdict);
  });
}

/** Judges the commands of every client of this process that connects from now on. */
export function watchAll(onVerdict: (verdict: Verdict) => void): void {
  const watched = new WeakSet<MongoClient>();
  const connect = MongoClient.prototype.connect;
  MongoClient.prototype.connect = function (this: MongoClient) {
    if (!watched.has(this)) {
      watched.add(this);
      watch(this, onVerdict);
    }
    return connect.call(this);
  };
}
