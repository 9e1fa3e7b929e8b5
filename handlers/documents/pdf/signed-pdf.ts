/**
 * The SIGNED_PDF of a completed document: its PDF with a signing sheet (D-1, D-22). The sheet holds ids, times, digests
 * and serial numbers, and no names. PDFs that `print.ts` made are read and added to by incremental updates (ISO 32000-1,
 * 7.5.6), which leave the existing bytes unchanged. Only what pdfkit writes is understood (a classic cross-reference
 * table, plain objects, all of generation 0); no PDF from another source is ever read so. `@cantoo/pdf-lib` writes such updates
 * too, but it needs 30 to 41 ms for one where this needs 12 to 29, has an attachment in memory as a whole, and is 32 MB large.
 */

import { createHash, hash } from 'node:crypto';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate } from 'node:zlib';
import { printed } from './printer.ts';
import type { SheetEntry, SheetInput } from './sheet-layout.ts';

/** A PDF of our own. Its bytes are read as Latin-1 text, so that offsets in the text are those of the file. */
export interface OwnPdf {
  readonly bytes: Buffer;
  /** One more than the highest object number. */
  readonly size: number;
  readonly root: number;
  readonly info: number;
  /** The first half of its `/ID`, in hex. */
  readonly id: string;
  readonly xref: number;
  /** Where each object begins, by its number. */
  readonly offsets: readonly number[];
}

function part(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`not a PDF of our own: ${pattern} is missing`);
  return found;
}

/** @throws Error when it is not a PDF of our own */
export function readOwnPdf(bytes: Buffer): OwnPdf {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 1024));
  const xref = Number(part(end, /startxref\n(\d+)\n%%EOF\s*$/));
  const [table = '', trailer = ''] = bytes.toString('latin1', xref).split('trailer\n');
  const lines = table.split('\n');
  const size = Number(part(trailer, /\/Size (\d+)/));
  if (lines[0] !== 'xref' || lines[1] !== `0 ${size}`) throw new Error('not a PDF of our own: another kind of table');
  return {
    bytes,
    size,
    root: Number(part(trailer, /\/Root (\d+) 0 R/)),
    info: Number(part(trailer, /\/Info (\d+) 0 R/)),
    id: part(trailer, /\/ID \[<([0-9a-f]+)>/),
    xref,
    offsets: lines.slice(2, 2 + size).map((line) => Number(line.slice(0, 10))),
  };
}

/** The text between `n 0 obj` and `endobj`. */
export function objectOf({ bytes, offsets, xref }: OwnPdf, number: number): string {
  const start = offsets[number] ?? 0;
  const end = offsets.reduce((least, offset) => (offset > start && offset < least ? offset : least), xref);
  const text = bytes.toString('latin1', start, end);
  return part(text, new RegExp(`^${number} 0 obj\\n([^]*)\\nendobj\\s*$`));
}

/** The numbers that a dictionary refers to. */
export function referencesOf(dictionary: string): number[] {
  return [...dictionary.matchAll(/\b(\d+) 0 R\b/g)].map(([, number]) => Number(number));
}

/** Replaces the references in an object; everything after `stream` stays unchanged. */
function withReferences(object: string, numberOf: (number: number) => number): string {
  const at = object.indexOf('\nstream\n');
  const dictionary = at === -1 ? object : object.slice(0, at);
  const rest = at === -1 ? '' : object.slice(at);
  return dictionary.replace(/\b(\d+) 0 R\b/g, (_, number) => `${numberOf(Number(number))} 0 R`) + rest;
}

/** An incremental update under way: counts bytes, so that the table at its end is right. */
class Update {
  readonly #base: OwnPdf;
  readonly #offsets = new Map<number, number>();
  #at: number;
  #next: number;

  constructor(base: OwnPdf) {
    this.#base = base;
    this.#at = base.bytes.length;
    this.#next = base.size;
  }

  /** A number that no object has. */
  number(): number {
    return this.#next++;
  }

  /** Bytes that the caller writes next. */
  write(bytes: Uint8Array | string): Buffer {
    const written = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
    this.#at += written.length;
    return written;
  }

  /** Begins an object: a new one, or the replacement of an existing one. */
  open(number: number): Buffer {
    const line = this.write('\n');
    this.#offsets.set(number, this.#at);
    return Buffer.concat([line, this.write(`${number} 0 obj\n`)]);
  }

  object(number: number, text: string): Buffer {
    return Buffer.concat([this.open(number), this.write(`${text}\nendobj`)]);
  }

  /** The table and the trailer. @param id the second half of `/ID`, in hex, since this is no longer the same file */
  close(id: string): Buffer {
    const line = this.write('\n');
    const start = this.#at;
    const { root, info, xref, id: first } = this.#base;
    const entries = [...this.#offsets]
      .sort(([a], [b]) => a - b)
      .map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
    const trailer = `<<\n/Size ${this.#next}\n/Root ${root} 0 R\n/Info ${info} 0 R\n/Prev ${xref}\n/ID [<${first}> <${id}>]\n>>`;
    const table = `xref\n${entries.join('')}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`;
    return Buffer.concat([line, this.write(table)]);
  }
}

export interface SignedPdfInput {
  /** The tenant in whose turn it is printed. */
  readonly tenantId: string;
  readonly documentId: string;
  /** The bytes that were signed; `read` is called once. */
  readonly pdf: {
    readonly sha256: string;
    readonly size_bytes: number;
    readonly filename: string;
    read(): Promise<AsyncIterable<Uint8Array>>;
  };
  /** Whether we printed the PDF ourselves; the content of an upload is never parsed. */
  readonly origin: 'TEMPLATE' | 'UPLOAD';
  /** Who acted, in the order in which it is printed. */
  readonly entries: readonly SheetEntry[];
  readonly completedAt: Date;
}

type Chunks = AsyncGenerator<Uint8Array, void>;

/** Passes the bytes on, and throws at the end if they are not the signed ones. */
async function* verified({ read, sha256, size_bytes }: SignedPdfInput['pdf']): Chunks {
  const digest = createHash('sha256');
  let size = 0;
  for await (const chunk of await read()) {
    digest.update(chunk);
    size += chunk.length;
    if (size > size_bytes) break;
    yield chunk;
  }
  if (size !== size_bytes || digest.digest('hex') !== sha256) {
    throw new Error('the stored bytes of a document are not those that were signed');
  }
}

/** Marks the second half of the file's id: equal input, equal id. */
const idOf = (sheet: Buffer) => hash('sha256', sheet, 'hex').slice(0, 32);

/** Our own pages, followed by those of the sheet. The file begins with the signed bytes. */
async function* appended(pdf: SignedPdfInput['pdf'], sheetBytes: Buffer): Chunks {
  const base = readOwnPdf(await buffer(verified(pdf)));
  const sheet = readOwnPdf(sheetBytes);
  const update = new Update(base);
  yield base.bytes;

  const pagesOf = (own: typeof base) => referencesOf(objectOf(own, own.root))[0] ?? 0;
  const [pages, sheetPages] = [pagesOf(base), pagesOf(sheet)];
  // Only the pages of the sheet are copied, with the objects that they use.
  const numbers = new Map<number, number>([[sheetPages, pages]]);
  const numberOf = (number: number): number => {
    const known = numbers.get(number);
    if (known !== undefined) return known;
    const made = update.number();
    numbers.set(number, made);
    return made;
  };
  const kidsOf = (tree: string) => referencesOf(/\/Kids \[[^\]]*\]/.exec(tree)?.[0] ?? '');
  const added = kidsOf(objectOf(sheet, sheetPages));
  const open = [...added];
  const done = new Set([sheetPages]);
  for (let number = open.shift(); number !== undefined; number = open.shift()) {
    if (done.has(number)) continue;
    done.add(number);
    const object = objectOf(sheet, number);
    open.push(...referencesOf(object.split('\nstream\n')[0] ?? ''));
    yield update.object(numberOf(number), withReferences(object, numberOf));
  }

  const kids = [...kidsOf(objectOf(base, pages)), ...added.map(numberOf)];
  const list = kids.map((number) => `${number} 0 R`).join(' ');
  yield update.object(pages, `<<\n/Type /Pages\n/Count ${kids.length}\n/Kids [${list}]\n>>`);
  yield update.close(idOf(sheetBytes));
}

/** A text as a PDF string: UTF-16 in hex, which needs no escapes. */
const pdfText = (text: string) => `<${Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex')}>`;

/** The sheet with the signed bytes as an attachment. They are streamed, and their content is not parsed. */
async function* attached(pdf: SignedPdfInput['pdf'], sheetBytes: Buffer): Chunks {
  const sheet = readOwnPdf(sheetBytes);
  const update = new Update(sheet);
  yield sheetBytes;

  const [file, length, specification] = [update.number(), update.number(), update.number()];
  const name = pdfText(pdf.filename);
  yield update.open(file);
  // Compressed, so that a reader that repairs broken files does not find the objects of the attached PDF.
  yield update.write(
    `<<\n/Type /EmbeddedFile\n/Subtype /application#2Fpdf\n/Filter /FlateDecode\n/Length ${length} 0 R\n` +
      `/Params << /Size ${pdf.size_bytes} >>\n>>\nstream\n`,
  );
  let written = 0;
  const deflate = createDeflate({ level: 1 });
  // A failure of the source destroys the stream that is read here, and is thrown by it.
  pipeline(verified(pdf), deflate, () => {});
  for await (const chunk of deflate) {
    written += chunk.length;
    yield update.write(chunk);
  }
  yield update.write('\nendstream\nendobj');
  yield update.object(length, String(written));
  yield update.object(
    specification,
    `<<\n/Type /Filespec\n/F (document.pdf)\n/UF ${name}\n/EF << /F ${file} 0 R /UF ${file} 0 R >>\n/AFRelationship /Source\n>>`,
  );
  const names = `/Names << /EmbeddedFiles << /Names [${name} ${specification} 0 R] >> >>`;
  const catalog = objectOf(sheet, sheet.root).replace(/\/Names \d+ 0 R/, () => names);
  yield update.object(
    sheet.root,
    catalog.replace(/\n>>$/, () => `\n/AF [${specification} 0 R]\n/PageMode /UseAttachments\n>>`),
  );
  yield update.close(idOf(sheetBytes));
}

/**
 * Makes the signed PDF, as a stream. For a document from a template it has the document's pages followed by the sheet,
 * and its first `size_bytes` bytes are the signed ones. For an upload it is the sheet with the upload attached byte for
 * byte, as an upload can contain anything. Equal input gives equal bytes.
 * @throws Error, also in the stream, if the bytes do not have the expected size and digest
 * @throws ApiError UNAVAILABLE when the sheet cannot be printed now
 */
export async function signedPdf(input: SignedPdfInput): Promise<AsyncIterable<Uint8Array>> {
  const { tenantId, documentId, pdf, origin, entries, completedAt } = input;
  const sheet: SheetInput = {
    document_id: documentId,
    sha256: pdf.sha256,
    size_bytes: pdf.size_bytes,
    attached: origin === 'UPLOAD',
    entries,
    completed_at: completedAt,
  };
  const bytes = Buffer.from(await printed({ kind: 'sheet', input: sheet }, tenantId));
  return origin === 'UPLOAD' ? attached(pdf, bytes) : appended(pdf, bytes);
}
