import { StorageError } from './errors.ts';
import { type CallOptions, limited, type Transport } from './transport.ts';
import type { Answer, UploadedFile } from './types.ts';

/** Storage takes no more. */
const LONGEST_BYTES = 52_428_800;
const PIECE_BYTES = 65_536;
const PDF = 'application/pdf';

/** What can be uploaded. For a path see `fileAt` of `developer-api-client/node`. A stream is read into memory first. */
export type UploadSource = Blob | ArrayBuffer | Uint8Array | AsyncIterable<Uint8Array>;

export interface UploadOptions extends CallOptions {
  /** The name that people see; a `File` has one already. */
  readonly filename?: string | undefined;
  /** Is called as the bytes leave; where the runtime does not tell, only at the end. */
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}

/** Reserves an upload, sends the bytes to storage and confirms. @throws StorageError if storage refuses the bytes */
export async function uploadFile(
  transport: Transport,
  source: UploadSource,
  { filename, onProgress, ...options }: UploadOptions,
): Promise<UploadedFile> {
  const bytes = await blobOf(source);
  const name = filename ?? (source instanceof File ? source.name : 'document.pdf');
  const body = { filename: name, content_type: PDF, size_bytes: bytes.size };
  // A reservation that is not used expires, so making a second one does no harm.
  const { file, upload } = await transport.call('reserveFile', { body, isRepeatable: true }, options);
  await transport.repeated({ operation: 'files.upload', isRepeatable: true }, options, (call) =>
    limited({ call, timeoutMs: options.timeoutMs ?? transport.timeoutMs, signal: options.signal }, async (signal) => {
      const form = new FormData();
      for (const [field, value] of Object.entries(upload.fields)) form.append(field, value);
      form.append('file', new ReportingFile(bytes, name, onProgress));
      const response = await transport.fetch(upload.url, { method: 'POST', body: form, signal });
      await refuseUnlessOk(response, call);
      return response;
    }),
  );
  onProgress?.(bytes.size, bytes.size);
  const input = { path: { file_id: file.id }, body: {}, isRepeatable: true };
  return (await transport.call('confirmFile', input, options)).file;
}

/** Fetches a presigned URL, without the key. @param read what is read of the answer within the time-out and the retries */
export async function downloaded<T>(
  transport: Transport,
  { url }: Answer<'downloadDocument'>,
  options: CallOptions,
  read: (response: Response) => T | Promise<T>,
): Promise<T> {
  const fetched = await transport.repeated({ operation: 'documents.content', isRepeatable: true }, options, (call) =>
    limited({ call, timeoutMs: options.timeoutMs ?? transport.timeoutMs, signal: options.signal }, async (signal) => {
      const response = await transport.fetch(url, { signal });
      await refuseUnlessOk(response, call);
      return { status: response.status, content: await read(response) };
    }),
  );
  return fetched.content;
}

async function refuseUnlessOk(response: Response, call: ConstructorParameters<typeof StorageError>[2]): Promise<void> {
  if (response.ok) return;
  const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await response.text()) ?? [];
  throw new StorageError(response.status, code, call);
}

async function blobOf(source: UploadSource): Promise<Blob> {
  if (source instanceof Blob) return source;
  if (!(Symbol.asyncIterator in source)) return new Blob([source as Uint8Array<ArrayBuffer>]);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of source) {
    size += part.byteLength;
    if (size > LONGEST_BYTES) throw new RangeError(`A file may have at most ${LONGEST_BYTES} bytes.`);
    parts.push(part as Uint8Array<ArrayBuffer>);
  }
  return new Blob(parts);
}

/** A file that tells how much of it was taken, which is when fetch sends it. */
class ReportingFile extends File {
  readonly #report: UploadOptions['onProgress'];

  constructor(bytes: Blob, name: string, report: UploadOptions['onProgress']) {
    super([bytes], name, { type: PDF });
    this.#report = report;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = 0;
    const pull = async (out: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      // What was taken before is on its way.
      if (at > 0) this.#report?.(at, this.size);
      const piece = new Uint8Array(await this.slice(at, at + PIECE_BYTES).arrayBuffer());
      at += piece.length;
      out.enqueue(piece);
      if (at >= this.size) out.close();
    };
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }
}
