/**
 * Reads the structure of PDFs that `print.ts` made, and adds to them by incremental updates (ISO 32000-1, 7.5.6), which
 * leave the existing bytes unchanged. It understands only what pdfkit writes (a classic cross-reference table, plain
 * objects, all of generation 0), and must never get a PDF from another source.
 */

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
export function withReferences(object: string, numberOf: (number: number) => number): string {
  const at = object.indexOf('\nstream\n');
  const dictionary = at === -1 ? object : object.slice(0, at);
  const rest = at === -1 ? '' : object.slice(at);
  return dictionary.replace(/\b(\d+) 0 R\b/g, (_, number) => `${numberOf(Number(number))} 0 R`) + rest;
}

/** An incremental update under way: counts bytes, so that the table at its end is right. */
export class Update {
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
