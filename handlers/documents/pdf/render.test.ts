import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../http/errors.ts';
import { eventually } from '../../testing/processes.ts';
import { LARGEST_VALUES } from '../templates/values.ts';
import { Printer } from './printer.ts';
import { type DocumentInput, filledDocument, type Printing, renderDocument } from './render.ts';
import { type Run, readText } from './testing/read-text.ts';

const cell = { type: 'string', title: 'Столбец' };
const schema = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Текст' },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { ...cell, title: 'Голова' }, b: cell, c: cell, d: cell, e: cell, f: cell, g: cell, h: cell },
        required: [],
        additionalProperties: false,
      },
    },
  },
  required: [],
  additionalProperties: false,
};
const TENANT = 'tenant';
const base: DocumentInput = {
  id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
  title: 'Приказ о предоставлении отпуска',
  number: 'Ж-118',
  date: '2026-03-02',
  organization: 'ТОО «Тұлпар Логистика»',
  content: JSON.stringify({
    locale: 'ru',
    blocks: [
      { type: 'paragraph', text: '{{text}}' },
      { type: 'definitions', rows: [{ title: 'Значение', text: '{{text}}' }] },
      {
        type: 'table',
        variable: 'rows',
        when: 'rows',
        columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((field) => ({ field, title: `Голова ${field}` })),
      },
      { type: 'signatures', lines: [{ title: 'Руководитель', name: '{{text}}', note: 'подпись' }] },
    ],
  }),
  variable_schema: JSON.stringify(schema),
  values: { text: 'Сәрсенбаева Әйгерім' },
};
const PATIENCE_MS = 240_000;

const filled = (input: DocumentInput) => (filledDocument(input) as Printing).filled;
const render = (input: DocumentInput) => renderDocument(filled(input), TENANT);
const print = async (values: object, rest: Partial<DocumentInput> = {}): Promise<Run[]> =>
  readText(await render({ ...base, ...rest, values }));
/** A printer with more time than the service gives to a document, for slow machines. */
const patient = new Printer(new URL('./printing-thread.ts', import.meta.url), {
  ...{ longestMs: PATIENCE_MS, longestWaitMs: PATIENCE_MS },
});
/** Without white space, which wrapping moves. */
const textOf = (runs: readonly Run[]) =>
  runs
    .map(({ text }) => text)
    .join('')
    .replace(/\s/g, '');

/** Every run begins within the margins of the page. */
function expectOnPage(runs: readonly Run[]): void {
  for (const { x, y, text } of runs) {
    expect({ text, fits: x >= 42 && x <= 595 - 42 && y >= 20 && y <= 842 - 50 }).toEqual({ text, fits: true });
  }
}

test(
  'a document shows organisation, title, number, date, the filled text and page numbers',
  async () => {
    const text = textOf(await print(base.values));
    const parts = [base.organization, base.title, '№ Ж-118', '02.03.2026', 'Сәрсенбаева Әйгерім', 'Руководитель'];
    for (const part of [...parts, 'стр. 1 из 1']) expect(text).toContain(part.replaceAll(' ', ''));
  },
  PATIENCE_MS,
);

test(
  'a document shows the letters of Kazakh and Russian',
  async () => {
    const letters = 'ӘҒҚҢӨҰҮҺІәғқңөұүһіЁЙЩЪЫЬЭЮЯёйщъыьэюя«»№—₸';
    expect(textOf(await print({ text: letters }))).toContain(letters);
  },
  PATIENCE_MS,
);

test(
  'a Kazakh template has its page numbers in Kazakh',
  async () => {
    const content = JSON.stringify({ locale: 'kk', blocks: [{ type: 'paragraph', text: '{{text}}' }] });
    expect(textOf(await print(base.values, { content }))).toContain('1-бет,барлығы1');
  },
  PATIENCE_MS,
);

describe('equal input gives equal bytes', () => {
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const script = `
    const { filledDocument, renderDocument } = await import(${JSON.stringify(resolve(import.meta.dirname, 'render.ts'))});
    const { createHash } = await import('node:crypto');
    const bytes = await renderDocument(filledDocument(JSON.parse(process.argv[2])).filled, 'tenant');
    console.log(createHash('sha256').update(bytes).digest('hex'));`;

  test(
    'in another process, in another time zone, later',
    async () => {
      const mine = digest(await render(base));
      const dir = await mkdtemp(join(tmpdir(), 'render-'));
      try {
        const program = join(dir, 'render.mjs');
        await writeFile(program, script);
        const argv = ['--disable-warning=ExperimentalWarning', program, JSON.stringify(base)];
        const env = { ...process.env, TZ: 'Pacific/Kiritimati', NODE_OPTIONS: '' };
        const other = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
        expect(other.stderr).toBe('');
        expect(other.stdout.trim()).toBe(mine);
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    },
    PATIENCE_MS,
  );

  test(
    'but another date or value gives other bytes',
    async () => {
      const others = [
        { ...base, date: '2026-03-03' },
        { ...base, values: { text: 'x' } },
      ];
      const digests = [base, ...others].map(async (input) => digest(await render(input)));
      expect(new Set(await Promise.all(digests)).size).toBe(3);
    },
    PATIENCE_MS,
  );

  test(
    'which name the day of the document and no present time',
    async () => {
      const text = Buffer.from(await render(base)).toString('latin1');
      expect(text).toContain('(D:20260302000000Z)');
      expect(text).not.toContain('ModDate');
    },
    PATIENCE_MS,
  );
});

describe('long values', () => {
  test(
    'are wrapped, also one word of 1,000 characters, in text, in definitions and beside a signature',
    async () => {
      const word = 'Щы'.repeat(500);
      const runs = await print({ text: word });
      expect(textOf(runs).split('Щ')).toHaveLength(1 + 3 * 500);
      expectOnPage(runs);
    },
    PATIENCE_MS,
  );

  test(
    'of text are printed completely',
    async () => {
      const words = Array.from({ length: 3_000 }, (_, nth) => `(с${nth})`);
      const runs = await print({ text: words.join(' ') });
      const counts = new Map<string, number>();
      for (const [word] of textOf(runs).matchAll(/\(с\d+\)/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
      // In the paragraph, in the definition and beside the signature.
      for (const word of words) expect({ word, times: counts.get(word) }).toEqual({ word, times: 3 });
      expectOnPage(runs);
    },
    PATIENCE_MS,
  );

  test(
    'in rows taller than a page continue on the next one, and every page repeats the heads',
    async () => {
      const words = Array.from({ length: 700 }, (_, nth) => `с${nth};`);
      const runs = await print({ text: 'x', rows: [{ a: words.join(' '), h: words.join(' ') }, { a: 'последняя' }] });
      const text = textOf(runs);
      for (const word of words) expect(text.split(word).length).toBe(3);
      expect(text).toContain('последняя');
      const pages = new Set(runs.filter((run) => /с\d+;/.test(run.text)).map(({ page }) => page));
      expect(pages.size).toBeGreaterThan(5);
      for (const page of pages) expect(textOf(runs.filter((run) => run.page === page))).toContain('Головаa');
      expectOnPage(runs);
    },
    PATIENCE_MS,
  );

  test(
    'fit as title, number and organisation of the greatest length',
    async () => {
      const rest = { title: 'Ъ'.repeat(500), number: 'Щ'.repeat(100), organization: 'Ж'.repeat(500) };
      const runs = await print({ text: 'x' }, rest);
      expect(textOf(runs).split('Ж')).toHaveLength(501);
      expectOnPage(runs);
    },
    PATIENCE_MS,
  );

  test.each<[string, string]>([
    ['single letters', 'ы '.repeat(LARGEST_VALUES / 2)],
    ['characters of other faces', '😀ы'.repeat(LARGEST_VALUES / 2)],
  ])(
    'the largest values are printed, off the main thread: %s',
    async (_, text) => {
      const content = JSON.stringify({ locale: 'ru', blocks: [{ type: 'paragraph', text: '{{text}}' }] });
      let ticks = 0;
      const clock = setInterval(() => ticks++, 1);
      try {
        const input = filled({ ...base, content, values: { text } });
        const runs = readText(await patient.print({ kind: 'document', input }, TENANT));
        expect(new Set(runs.map(({ page }) => page)).size).toBeGreaterThan(10);
        expect(ticks).toBeGreaterThan(5);
      } finally {
        clearInterval(clock);
      }
    },
    PATIENCE_MS,
  );
});

describe('characters out of the ordinary', () => {
  test.each([
    ['control characters', 'a\u0000\u0007\u001b[31m\u009bb', 'aU+0000U+0007U+001B[31mU+009Bb'],
    ['turns of direction', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['line ends of all kinds', 'a\r\nb\rc\u2028d\ne', 'abcde'],
    ['combining marks', `и\u0306${'\u0301'.repeat(500)}`, 'й\u0301\u0301\u0301\u0301'],
    ['what looks like PDF', ') Tj (\\) >> endobj %%EOF <</JS (x)>>', ')Tj(\\)>>endobj%%EOF<</JS(x)>>'],
    [
      'what looks like markup',
      '<b>*x*</b> {{text}} {"link":"http://a.example"}',
      '<b>*x*</b>{{text}}{"link":"http://a.example"}',
    ],
  ])(
    '%s are text at most',
    async (_, text, printed) => {
      const runs = await print({ text });
      expect(textOf(runs)).toContain(printed);
      expectOnPage(runs);
    },
    PATIENCE_MS,
  );

  test.each(['😀👨‍👩‍👧', 'سلام שלום', '漢字', '\ud800', '\ufffe\uffff', 'ᄀ'.repeat(50), '\u{e0041}', ''])(
    'do not break a document: %j',
    async (text) => {
      const rest = { title: `Т ${text}`, number: text, organization: text };
      expect(textOf(await print({ text, rows: [{ a: text }] }, rest))).toMatch(/стр\.1из\d/);
    },
    PATIENCE_MS,
  );

  test(
    'do not become a link, a script or a file',
    async () => {
      const text = '{"text":"x","link":"http://a.example"} file:///etc/passwd http://a.example';
      const bytes = Buffer.from(await render({ ...base, title: text, values: { text } })).toString('latin1');
      for (const key of ['/Annot', '/URI', '/JavaScript', '/EmbeddedFile', '/OpenAction'])
        expect(bytes).not.toContain(key);
    },
    PATIENCE_MS,
  );
});

describe('the printing thread', () => {
  const thread = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const input = filled(base);
  const job = { kind: 'document', input } as const;
  const program = new URL('./printing-thread.ts', import.meta.url);
  const NEVER_MS = 1_000_000_000;
  const failing = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );

  test(
    'is given up when it takes too long, and the next document gets another',
    async () => {
      const slow = new Printer(
        thread("import('node:worker_threads').then(({ parentPort }) => parentPort.on('message', () => {}))"),
        { longestMs: 300 },
      );
      for (let nth = 0; nth < 2; nth++) {
        const error = await failing(slow.print(job, TENANT));
        expect(error).toBeInstanceOf(ApiError);
        expect((error as ApiError).errorName).toBe('UNAVAILABLE');
      }
    },
    PATIENCE_MS,
  );

  test(
    'refuses documents whose turn does not come in time',
    async () => {
      const code = "import('node:worker_threads').then(({ parentPort }) => parentPort.on('message', () => {}))";
      const printer = new Printer(thread(code), { longestMs: 3_000, longestWaitMs: 300 });
      const order: string[] = [];
      const asked = (name: string) => failing(printer.print(job, TENANT)).finally(() => order.push(name));
      const errors = await Promise.all([asked('first'), asked('second'), asked('third')]);
      expect(errors.map((error) => (error as ApiError).errorName)).toEqual(Array(3).fill('UNAVAILABLE'));
      // The waiting ones are refused before the printed one ends.
      expect(order).toEqual(['second', 'third', 'first']);
    },
    PATIENCE_MS,
  );

  test(
    'is started for another tenant after the first document, before it is needed',
    async () => {
      const channel = new BroadcastChannel('printing threads');
      const started: boolean[] = [];
      channel.onmessage = ({ data }: MessageEvent) => started.push(data.isAhead);
      const code = `import('node:worker_threads').then(({ parentPort, workerData }) => {
          new BroadcastChannel('printing threads').postMessage(workerData);
          parentPort.on('message', () => parentPort.postMessage({ bytes: new Uint8Array([1]) }));
        })`;
      await new Printer(thread(code)).print(job, TENANT);
      await eventually('two threads', () => started.length === 2 || undefined);
      expect(started).toEqual([false, true]);
      channel.close();
    },
    PATIENCE_MS,
  );

  test(
    'prints what it gets, also when it was started ahead',
    async () => {
      const worker = new Worker(program, { workerData: { isAhead: true, restMs: NEVER_MS, fonts: [] } });
      worker.postMessage(job);
      const [printed] = await once(worker, 'message');
      expect(Buffer.from(printed.bytes).equals(await patient.print(job, TENANT))).toBe(true);
      await worker.terminate();
    },
    PATIENCE_MS,
  );

  test(
    'collects its garbage when it has had no work for a while, and goes on printing',
    async () => {
      const observed = thread(`
        import { getHeapStatistics } from 'node:v8';
        import { parentPort } from 'node:worker_threads';
        const post = parentPort.postMessage.bind(parentPort);
        parentPort.postMessage = (answer) => post({ ...answer, heap: getHeapStatistics().total_heap_size });
        await import(${JSON.stringify(program.href)});`);
      const worker = new Worker(observed, { workerData: { isAhead: false, restMs: 1, fonts: [] } });
      const print = async () => {
        worker.postMessage(job);
        const [printed] = await once(worker, 'message');
        expect(printed.bytes.length).toBeGreaterThan(1_000);
        return printed.heap as number;
      };
      const heap = await print();
      // Code and fonts stay, less than half of it. In some minutes V8 would give memory back by itself.
      const isSmaller = async () => (await worker.getHeapStatistics()).total_heap_size < 0.75 * heap || undefined;
      await eventually('less memory', isSmaller, 20_000);
      await print();
      await worker.terminate();
    },
    PATIENCE_MS,
  );

  test(
    'fails only its own document when it dies',
    async () => {
      const code = `import('node:worker_threads').then(({ parentPort }) => parentPort.on('message', ({ input }) => {
      if (input.title === 'die') process.exit(1);
      parentPort.postMessage({ bytes: new Uint8Array([1]) });
    }))`;
      const printer = new Printer(thread(code));
      const [dead, alive] = await Promise.all([
        failing(printer.print({ kind: 'document', input: { ...input, title: 'die' } }, TENANT)),
        printer.print(job, TENANT),
      ]);
      expect((dead as ApiError).errorName).toBe('UNAVAILABLE');
      expect([...alive]).toEqual([1]);
    },
    PATIENCE_MS,
  );

  test(
    'fails only its own document when it takes too much memory',
    async () => {
      const code = `import('node:worker_threads').then(({ parentPort }) => parentPort.on('message', ({ input }) => {
      const kept = [];
      while (input.title === 'grow') kept.push(Array.from({ length: 10_000 }, (_, nth) => ({ nth })));
      parentPort.postMessage({ bytes: new Uint8Array([1]) });
    }))`;
      const printer = new Printer(thread(code), { longestMs: PATIENCE_MS });
      const before = process.memoryUsage().rss;
      const error = await failing(printer.print({ kind: 'document', input: { ...input, title: 'grow' } }, TENANT));
      expect((error as ApiError).errorName).toBe('UNAVAILABLE');
      expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
      expect([...(await printer.print(job, TENANT))]).toEqual([1]);
    },
    PATIENCE_MS,
  );

  test(
    'refuses the last ones of too many documents',
    async () => {
      const printer = new Printer(
        thread(
          "import('node:worker_threads').then(({ parentPort }) => parentPort.on('message', () => parentPort.postMessage({ bytes: new Uint8Array() })))",
        ),
      );
      const all = await Promise.all(Array.from({ length: 400 }, () => failing(printer.print(job, TENANT))));
      const refused = all.filter((error) => error instanceof ApiError);
      expect(refused.length).toBeGreaterThan(100);
      expect(refused.length).toBeLessThan(250);
    },
    PATIENCE_MS,
  );

  test(
    'prints for one tenant while another has many documents, and tenants take turns',
    async () => {
      // Large documents are printed once the gate is open.
      const code = `import('node:worker_threads').then(({ parentPort }) => parentPort.on('message', async ({ input }) => {
        if (input.title === 'large') await Atomics.waitAsync(input.gate, 0, 0).value;
        parentPort.postMessage({ bytes: new Uint8Array() });
      }))`;
      const gate = new Int32Array(new SharedArrayBuffer(4));
      const printer = new Printer(thread(code), { longestMs: PATIENCE_MS, longestWaitMs: PATIENCE_MS });
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
      // While all of them wait, none is served twice before another is served once, except by the second thread.
      const early = taken.slice(0, 9);
      for (const tenant of ['a', 'b', 'c']) {
        expect(early.filter((each) => each === tenant).length).toBeGreaterThanOrEqual(1);
        expect(early.filter((each) => each === tenant).length).toBeLessThanOrEqual(4);
      }
    },
    PATIENCE_MS,
  );

  test(
    'keeps room for tenants that have nothing waiting',
    async () => {
      const silent = "import('node:worker_threads').then(({ parentPort }) => parentPort.on('message', () => {}))";
      const printer = new Printer(thread(silent), { longestMs: 1_000, longestWaitMs: 500 });
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
    },
    PATIENCE_MS,
  );
});
