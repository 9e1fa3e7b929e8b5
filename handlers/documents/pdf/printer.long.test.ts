import { once } from 'node:events';
import { getPriority, platform } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../../scripts/kit/eventually.ts';
import { ApiError } from '../../answers/errors.ts';
import type { FilledDocument } from './layout.ts';
import { Printer } from './printer.ts';

const TENANT = 'tenant';
/** More than the service gives to a document, for slow machines. */
const PATIENCE_MS = 240_000;
const program = new URL('./printing-thread.ts', import.meta.url);
const patient = new Printer(program, { longestMs: PATIENCE_MS, longestWaitMs: PATIENCE_MS });
const input: FilledDocument = {
  id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
  title: 'Приказ о предоставлении отпуска',
  number: 'Ж-118',
  date: '2026-03-02',
  organization: 'ТОО «Тұлпар Логистика»',
  locale: 'ru',
  blocks: [{ type: 'paragraph', text: 'Сәрсенбаева Әйгерім', align: 'left', bold: false, indent: true }],
};

describe('the printing thread', () => {
  const thread = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  /** A thread with this listener for jobs. */
  const listening = (listener: string) =>
    thread(`import { parentPort } from 'node:worker_threads'; parentPort.on('message', ${listener});`);
  const silent = listening('() => {}');
  const job = { kind: 'document', input } as const;
  const failing = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('is given up when it takes too long, and the next document gets another', async () => {
    const slow = new Printer(silent, { longestMs: 300 });
    for (let nth = 0; nth < 2; nth++) {
      const error = await failing(slow.print(job, TENANT));
      expect(error).toBeInstanceOf(ApiError);
      expect((error as ApiError).errorName).toBe('UNAVAILABLE');
    }
  });

  test('refuses documents whose turn does not come in time', async () => {
    const printer = new Printer(silent, { longestMs: 3_000, longestWaitMs: 300 });
    const order: string[] = [];
    const asked = (name: string) => failing(printer.print(job, TENANT)).finally(() => order.push(name));
    const errors = await Promise.all([asked('first'), asked('second'), asked('third')]);
    expect(errors.map((error) => (error as ApiError).errorName)).toEqual(Array(3).fill('UNAVAILABLE'));
    // The waiting ones are refused before the printed one ends.
    expect(order).toEqual(['second', 'third', 'first']);
  });

  test('is started for another tenant after the first document, before it is needed', async () => {
    const channel = new BroadcastChannel('printing threads');
    const started: boolean[] = [];
    channel.onmessage = ({ data }: MessageEvent) => started.push(data.isAhead);
    const code = `import('node:worker_threads').then(({ parentPort, workerData }) => {
        new BroadcastChannel('printing threads').postMessage(workerData);
        parentPort.on('message', () => parentPort.postMessage({ bytes: new Uint8Array([1]) }));
      })`;
    await new Printer(thread(code)).print(job, TENANT);
    await eventually('all threads', () => started.length === 3);
    expect(started).toEqual([false, true, true]);
    channel.close();
  });

  test('that prints long documents has a lower priority, and a short document has a thread that prints no long ones', async () => {
    const code = `
      import { getPriority } from 'node:os';
      import { parentPort } from 'node:worker_threads';
      const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = () => post({ bytes: new Uint8Array([getPriority()]) });
      await import(${JSON.stringify(program.href)});`;
    const printer = new Printer(thread(code), { longestMs: PATIENCE_MS });
    const long = { ...input, blocks: input.blocks.flatMap((block) => Array.from({ length: 200 }, () => block)) };
    const [[shortPriority], [longPriority]] = await Promise.all([
      printer.print(job, TENANT),
      printer.print({ kind: 'document', input: long }, 'another'),
    ]);
    expect([shortPriority, longPriority]).toEqual([getPriority(), platform() === 'linux' ? 5 : getPriority()]);
  });

  test('prints what it gets, also when it was started ahead', async () => {
    const worker = new Worker(program, { workerData: { isAhead: true } });
    worker.postMessage(job);
    const [printed] = await once(worker, 'message');
    expect(Buffer.from(printed.bytes).equals(await patient.print(job, TENANT))).toBe(true);
    await worker.terminate();
  });

  test('fails only its own document when it dies', async () => {
    const listener = `({ input }) => {
    if (input.title === 'die') process.exit(1);
    parentPort.postMessage({ bytes: new Uint8Array([1]) });
  }`;
    const printer = new Printer(listening(listener));
    const [dead, alive] = await Promise.all([
      failing(printer.print({ kind: 'document', input: { ...input, title: 'die' } }, TENANT)),
      printer.print(job, TENANT),
    ]);
    expect((dead as ApiError).errorName).toBe('UNAVAILABLE');
    expect([...alive]).toEqual([1]);
  });

  test('fails only its own document when it takes too much memory', async () => {
    const listener = `({ input }) => {
    const kept = [];
    while (input.title === 'grow') kept.push(Array.from({ length: 10_000 }, (_, nth) => ({ nth })));
    parentPort.postMessage({ bytes: new Uint8Array([1]) });
  }`;
    const printer = new Printer(listening(listener), { longestMs: PATIENCE_MS });
    const before = process.memoryUsage().rss;
    const error = await failing(printer.print({ kind: 'document', input: { ...input, title: 'grow' } }, TENANT));
    expect((error as ApiError).errorName).toBe('UNAVAILABLE');
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
    expect([...(await printer.print(job, TENANT))]).toEqual([1]);
  });

  test('prints for one tenant while another has many documents, and tenants take turns', async () => {
    // Large documents are printed once the gate is open.
    const listener = `async ({ input }) => {
      if (input.title === 'large') await Atomics.waitAsync(input.gate, 0, 0).value;
      parentPort.postMessage({ bytes: new Uint8Array() });
    }`;
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const printer = new Printer(listening(listener), { longestMs: PATIENCE_MS, longestWaitMs: PATIENCE_MS });
    const done: string[] = [];
    let taken: string[] = [];
    const print = (title: string, tenantId: string) => {
      // A thread gets a copy, so this property is read when a thread takes the document. When the thread is done
      // with it says less: on a busy machine one thread may stand still.
      const observed = {
        get taken() {
          return taken.push(tenantId);
        },
      };
      const gated = Object.defineProperties({ ...input, title, gate }, Object.getOwnPropertyDescriptors(observed));
      // Its length is judged without reading that property.
      Object.defineProperty(gated, 'toJSON', { value: () => title });
      return printer.print({ kind: 'document', input: gated }, tenantId).then(() => done.push(tenantId));
    };
    const many = Array.from({ length: 20 }, () => print('large', 'greedy'));
    await Promise.all(Array.from({ length: 5 }, () => print('small', 'modest')));
    // Each of them found a thread, no matter how much the other tenant has waiting.
    expect(done).toEqual(Array(5).fill('modest'));
    taken = [];
    const others = ['a', 'b', 'c'].flatMap((tenant) => Array.from({ length: 4 }, () => print('large', tenant)));
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    await Promise.all([...many, ...others]);
    // While all of them wait, none is served twice before another is served once, except by another thread.
    const early = taken.slice(0, 9);
    for (const tenant of ['a', 'b', 'c']) {
      expect(early.filter((each) => each === tenant).length).toBeGreaterThanOrEqual(1);
      expect(early.filter((each) => each === tenant).length).toBeLessThanOrEqual(4);
    }
  });

  test('keeps room for tenants that have nothing waiting', async () => {
    const printer = new Printer(silent, { longestMs: 1_000, longestWaitMs: 500 });
    const refusedAtOnce = async (tenantId: string) => {
      let isRefused = false;
      const refusing = failing(printer.print(job, tenantId)).then(() => {
        isRefused = true;
      });
      await new Promise(setImmediate);
      const atOnce = isRefused;
      await refusing;
      return atOnce;
    };
    const many = await Promise.all(Array.from({ length: 400 }, () => refusedAtOnce('greedy')));
    expect(many.filter(Boolean).length).toBeGreaterThan(150);
    const both = [...Array.from({ length: 300 }, () => refusedAtOnce('greedy')), refusedAtOnce('modest')];
    expect((await Promise.all(both)).at(-1)).toBe(false);
  });
});
