/** When repeated work runs, and how its failures and the end of the process affect it. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { MetricSamples } from '../../scripts/testbed/metric-samples.ts';
import { loggerTo } from '../runtime/log.ts';
import { exposition } from '../runtime/metrics.ts';
import { type Periodic, startPeriodic } from './periodic.ts';

const NEVER_MS = 1_000_000_000;
let logged: Record<string, unknown>[] = [];
const log = loggerTo('info', { write: (line: string) => void logged.push(JSON.parse(line)) });

/** Work whose runs last until the test releases them. */
class HeldWork {
  runs = 0;
  atOnce = 0;
  mostAtOnce = 0;
  release: () => void = () => {};
  outcome: () => boolean = () => false;
  stopping: AbortSignal | undefined;

  begin(everyMs: number): Periodic {
    return startPeriodic({ name: 'test', everyMs, run: (signal) => this.run(signal) }, log);
  }

  private async run(signal: AbortSignal): Promise<boolean> {
    this.stopping = signal;
    this.runs++;
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    await new Promise<void>((resolve) => {
      this.release = resolve;
    });
    this.atOnce--;
    return this.outcome();
  }

  /** Lets the run under way end, and waits for the next one. */
  async next(): Promise<void> {
    const expected = this.runs + 1;
    this.release();
    await eventually(`run ${expected}`, () => (this.runs === expected ? true : undefined));
  }
}

afterEach(async () => {
  logged = [];
});

describe('repeated work', () => {
  test('runs at once, and again after the interval', async () => {
    const work = new HeldWork();
    const periodic = work.begin(10);
    expect(work.runs).toBe(1);
    await work.next();
    await work.next();
    work.release();
    await periodic.stop();
  });

  test('says when its first run is over, even if that failed', async () => {
    const work = new HeldWork();
    const periodic = work.begin(NEVER_MS);
    work.outcome = () => {
      throw new Error('away');
    };
    let isOver = false;
    const over = periodic.hasRun.then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    work.release();
    await over;
    await periodic.stop();
  });

  test('runs when it is woken, once more for all calls during a run, and never twice at a time', async () => {
    const work = new HeldWork();
    const periodic = work.begin(NEVER_MS);
    for (let time = 0; time < 3; time++) periodic.wake();
    expect(work.runs).toBe(1);
    await work.next();
    work.release();
    await eventually('the end of the second run', () => (work.atOnce === 0 ? true : undefined));
    periodic.wake();
    await eventually('the third run', () => (work.runs === 3 ? true : undefined));
    expect(work.mostAtOnce).toBe(1);
    work.release();
    await periodic.stop();
    periodic.wake();
    expect(work.runs).toBe(3);
  });

  test('is tried again soon after a failure, which is logged once and without its text', async () => {
    const work = new HeldWork();
    const periodic = work.begin(NEVER_MS);
    work.outcome = () => {
      throw Object.assign(new Error('quotes a value'), { name: 'MongoServerError', code: 11000 });
    };
    await work.next();
    await work.next();
    expect(logged).toMatchObject([{ event: 'periodic_work_failed', work: 'test', error: { code: 11000 } }]);
    expect(JSON.stringify(logged)).not.toContain('quotes a value');
    work.outcome = () => true;
    await work.next();
    work.outcome = () => {
      throw new TypeError('a fault of ours');
    };
    work.release();
    await eventually('the second line', () => (logged.length === 2 ? true : undefined));
    await periodic.stop();
    const runs = new MetricSamples(await exposition());
    const failed = (error_type: string) =>
      runs.value(`work_run_duration_seconds_count{work="test",error_type="${error_type}"}`);
    expect([failed('MongoServerError'), failed('TypeError')]).toEqual([2, 1]);
  });

  test('stops: it aborts the run under way, waits for it, and begins no other', async () => {
    const work = new HeldWork();
    const periodic = work.begin(1);
    let stopped = false;
    const stopping = periodic.stop().then(() => {
      stopped = true;
    });
    expect(work.stopping?.aborted).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    work.release();
    await stopping;
    periodic.wake();
    expect(work.runs).toBe(1);
  });

  test('does not keep the process from stopping when a run hangs', async () => {
    const work = new HeldWork();
    await work.begin(1).stop();
    expect(work.atOnce).toBe(1);
    work.release();
  });
});
