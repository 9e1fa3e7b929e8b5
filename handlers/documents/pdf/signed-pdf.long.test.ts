import { createHash, hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { printed } from './printer.ts';
import type { SheetEntry } from './sheet-layout.ts';
import { referencesOf, type SignedPdfInput, signedPdf } from './signed-pdf.ts';
import { readText } from './testing/read-text.ts';

const DOCUMENT = '3f2b1c9e-7a54-4c1d-9b0e-5d8a6f4e2c10';
const PARTICIPANT = '8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04';
const EMPLOYEE = 'c1b7e2a4-52e6-4f1a-8c0d-7e9f2a3b4c05';
const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function inputOf(
  bytes: Uint8Array,
  origin: SignedPdfInput['origin'],
  rest: Partial<SignedPdfInput> = {},
): SignedPdfInput {
  const entry: SheetEntry = {
    step: 0,
    participant_id: PARTICIPANT,
    employee_id: EMPLOYEE,
    action: 'APPROVED',
    at: new Date('2026-03-02T09:15:00Z'),
    key_type: 'SIMPLE',
    pdf_sha256: '',
    certificate_serial: '',
  };
  const signed: SheetEntry = { ...entry, step: 1, action: 'SIGNED', key_type: 'EDS', pdf_sha256: sha256(bytes) };
  return {
    tenantId: 'tenant',
    documentId: DOCUMENT,
    pdf: {
      sha256: sha256(bytes),
      size_bytes: bytes.length,
      filename: 'Приказ.pdf',
      read: async () => chunksOf(bytes, 1000),
    },
    origin,
    entries: [entry, { ...signed, certificate_serial: '5f1a2b3c4d5e6f70' }],
    completedAt: new Date('2026-03-03T10:00:00Z'),
    ...rest,
  };
}

const made = async (input: SignedPdfInput) => buffer(await signedPdf(input));

/** The latest version of each object, found as a reader finds it: by the tables, newest first. */
function objectsOf(bytes: Buffer): { root: number; object(number: number): Buffer } {
  const text = bytes.toString('latin1');
  const offsets = new Map<number, number>();
  const startOf = /startxref\n(\d+)\n%%EOF\s*$/.exec(text)?.[1];
  let root = 0;
  for (let next = startOf; next !== undefined; ) {
    const [table = '', trailer = ''] = text.slice(Number(next)).split('trailer\n');
    expect(table.startsWith('xref\n')).toBe(true);
    let number = 0;
    for (const line of table.split('\n').slice(1)) {
      const head = /^(\d+) (\d+)$/.exec(line);
      if (head) number = Number(head[1]);
      else if (/^\d{10} \d{5} [nf] $/.test(line)) {
        if (line.endsWith('n ') && !offsets.has(number)) offsets.set(number, Number(line.slice(0, 10)));
        number++;
      }
    }
    root ||= Number(/\/Root (\d+) 0 R/.exec(trailer)?.[1]);
    next = /\/Prev (\d+)/.exec(trailer.split('startxref')[0] ?? '')?.[1];
  }
  return {
    root,
    object(number) {
      const at = offsets.get(number) ?? -1;
      expect(text.startsWith(`${number} 0 obj\n`, at)).toBe(true);
      return bytes.subarray(at, text.indexOf('\nendobj', at));
    },
  };
}

let printedPdf: Buffer;
beforeAll(async () => {
  const paragraph = (text: string) => ({ type: 'paragraph', text, align: 'left', bold: false, indent: false }) as const;
  const input = {
    id: '7d1f7e3c-53f5-4c1c-9d27-6f8a3c2b1e00',
    title: 'Приказ',
    number: '1',
    date: '2026-03-02',
    organization: 'ТОО',
    locale: 'ru',
    blocks: [paragraph('Текст'), { type: 'page_break' }, paragraph('Ещё')],
  } as const;
  printedPdf = Buffer.from(await printed({ kind: 'document', input }, 'tenant'));
});

describe('the signed PDF of a document from a template', () => {
  test('begins with the signed bytes, and has their pages followed by those of the sheet', async () => {
    const signed = await made(inputOf(printedPdf, 'TEMPLATE'));
    expect(signed.subarray(0, printedPdf.length).equals(printedPdf)).toBe(true);
    const { root, object } = objectsOf(signed);
    const tree = referencesOf(object(root).toString('latin1'))[0] ?? 0;
    const pages = object(tree).toString('latin1');
    expect(pages).toContain('/Count 3');
    const kids = referencesOf(/\/Kids \[[^\]]*\]/.exec(pages)?.[0] ?? '');
    expect(kids).toHaveLength(3);
    for (const kid of kids) {
      const page = object(kid).toString('latin1');
      expect(page).toContain(`/Parent ${tree} 0 R`);
      // Each object that a page refers to is there, at the offset in the tables.
      for (const number of referencesOf(page)) expect(object(number).length).toBeGreaterThan(5);
    }
  });

  test('is the same for equal input', async () => {
    const [one, two] = await Promise.all([
      made(inputOf(printedPdf, 'TEMPLATE')),
      made(inputOf(printedPdf, 'TEMPLATE')),
    ]);
    expect(one.equals(two)).toBe(true);
  });
});

describe('the signed PDF of an upload', () => {
  const hostile = Buffer.from(
    '%PDF-1.4\n1 0 obj <</OpenAction<</S/JavaScript/JS(app.alert(1))>>>> endobj\nendstream\nendobj\nxref\ntrailer <</Root 1 0 R/Encrypt 2 0 R>>\nstartxref\n1\n%%EOF\n\u0000\u00ff',
    'latin1',
  );

  test.each(['', '\ufeff\r\n', ' '.repeat(1_019)])(
    'holds the upload byte for byte, as an attachment, also after %j',
    async (head) => {
      const bytes = Buffer.concat([Buffer.from(head), hostile]);
      const signed = await made(inputOf(bytes, 'UPLOAD'));
      const { root, object } = objectsOf(signed);
      const catalog = object(root).toString('latin1');
      const specification = Number(/\/AF \[(\d+) 0 R\]/.exec(catalog)?.[1]);
      expect(catalog).toContain('/PageMode /UseAttachments');
      expect(catalog).toMatch(new RegExp(`/EmbeddedFiles << /Names \\[<[0-9a-f]+> ${specification} 0 R\\]`));
      const described = object(specification).toString('latin1');
      expect(described).toContain('/AFRelationship /Source');
      const name = /\/UF <feff([0-9a-f]+)>/.exec(described)?.[1] ?? '';
      expect(Buffer.from(name, 'hex').swap16().toString('utf16le')).toBe('Приказ.pdf');
      const file = object(Number(/\/EF << \/F (\d+) 0 R/.exec(described)?.[1]));
      const at = file.indexOf('\nstream\n') + 8;
      const length = Number(
        object(Number(/\/Length (\d+) 0 R/.exec(file.toString('latin1'))?.[1]))
          .toString()
          .split('\n')[1],
      );
      expect(inflateSync(file.subarray(at, at + length)).equals(bytes)).toBe(true);
      expect(file.toString('latin1', at + length)).toBe('\nendstream');
    },
  );

  test('hides the content of the upload from a program that searches the bytes for objects', async () => {
    const text = (await made(inputOf(hostile, 'UPLOAD'))).toString('latin1');
    for (const part of ['/OpenAction', '/JavaScript', '/Encrypt']) expect(text).not.toContain(part);
  });

  test('is streamed, and holds little of a large upload in memory', async () => {
    const size = 52_428_800;
    const chunk = Buffer.alloc(65_536, 'ab');
    const digest = createHash('sha256');
    for (let at = 0; at < size; at += chunk.length) digest.update(chunk);
    let [sent, received, ahead] = [0, 0, 0];
    const read = async () =>
      (async function* () {
        for (let at = 0; at < size; at += chunk.length) {
          sent += chunk.length;
          yield chunk;
        }
      })();
    const pdf = { sha256: digest.digest('hex'), size_bytes: size, filename: 'a.pdf', read };
    const stream = await signedPdf(inputOf(chunk, 'UPLOAD', { pdf }));
    // The source is read only when the result is read, and piece by piece.
    for await (const part of stream) {
      if (received === 0) expect(sent).toBe(0);
      received += part.length;
      if (ahead === 0 && sent > 0) ahead = sent;
    }
    expect(sent).toBe(size);
    expect(ahead).toBeLessThan(size / 4);
  });
});

describe('stored bytes that differ from the signed ones', () => {
  test.each([
    ['others', (bytes: Buffer) => Buffer.from(bytes).fill(1, 5, 6)],
    ['fewer', (bytes: Buffer) => bytes.subarray(1)],
    ['more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
  ])('end the stream in an error: %s', async (_, change) => {
    for (const origin of ['TEMPLATE', 'UPLOAD'] as const) {
      const input = inputOf(printedPdf, origin);
      const pdf = { ...input.pdf, read: async () => chunksOf(change(printedPdf), 1000) };
      await expect(made({ ...input, pdf })).rejects.toThrow('not those that were signed');
    }
  });

  test('or cannot be read, end the stream in an error', async () => {
    const read = async () =>
      (async function* (): AsyncGenerator<Uint8Array> {
        yield printedPdf.subarray(0, 10);
        throw new Error('gone');
      })();
    for (const origin of ['TEMPLATE', 'UPLOAD'] as const) {
      const input = inputOf(printedPdf, origin);
      await expect(made({ ...input, pdf: { ...input.pdf, read } })).rejects.toThrow('gone');
    }
  });
});

test('the sheet shows ids, acts, times, digests and serial numbers', async () => {
  const bytes = Buffer.from('%PDF-');
  const signed = await made(inputOf(bytes, 'UPLOAD'));
  const own = signed.subarray(0, signed.indexOf('%%EOF\n') + 6);
  const text = readText(own)
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s/g, '');
  for (const part of [
    DOCUMENT,
    PARTICIPANT,
    EMPLOYEE,
    sha256(bytes),
    '5f1a2b3c4d5e6f70',
    '2026-03-0209:15:00UTC',
    '2026-03-0310:00:00UTC',
    'Согласовано',
    'ЭЦП',
  ]) {
    expect(text).toContain(part);
  }
  // An approval is no signature of any kind.
  expect(text).not.toMatch(/Приказ|простая/);
});

test('a sheet of very many participants continues on further pages', async () => {
  const input = inputOf(Buffer.from('%PDF-'), 'UPLOAD');
  const [entry] = input.entries;
  if (!entry) throw new Error('no entry');
  const entries = Array.from({ length: 300 }, (_, nth) => ({ ...entry, step: Math.floor(nth / 50) }));
  const signed = await made({ ...input, entries });
  const runs = readText(signed.subarray(0, signed.indexOf('%%EOF\n') + 6));
  const ids = runs
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s/g, '')
    .split(PARTICIPANT);
  expect(ids).toHaveLength(301);
});
