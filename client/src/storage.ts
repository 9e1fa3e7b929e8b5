import { bodyBytes, bodyParts } from './body.ts';
import { unlessAborted } from './clock.ts';
import { StorageError } from './errors.ts';
import { type CallOptions, type FetchedResponse, limited, type Transport } from './transport.ts';
import type { Answer, UploadedFile } from './types.ts';

/** Storage takes no more. */
const LONGEST_BYTES = 52_428_800;
/** A signing sheet behind such a file included. */
const LONGEST_DOWNLOAD_BYTES = 2 * LONGEST_BYTES;
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
      const form = new UploadForm(upload.fields, bytes, name, onProgress);
      const response = await transport.post(upload.url, form, signal);
      await refuseUnlessOk(response, call);
      return response;
    }),
  );
  onProgress?.(bytes.size, bytes.size);
  const input = { path: { file_id: file.id }, body: {}, isRepeatable: true };
  return (await transport.call('confirmFile', input, options)).file;
}

/**
 * Fetches a presigned URL, without the key.
 * @param read what is read of the body within the time-out and the retries; undefined if the body is too long
 */
export async function downloaded<T>(
  transport: Transport,
  { url }: Answer<'downloadDocument'>,
  options: CallOptions,
  read: (body: unknown, ending: AbortSignal) => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const fetched = await transport.repeated({ operation: 'documents.content', isRepeatable: true }, options, (call) =>
    limited({ call, timeoutMs: options.timeoutMs ?? transport.timeoutMs, signal: options.signal }, async (signal) => {
      const response = await transport.fetch(url, { signal });
      await refuseUnlessOk(response, call);
      const content = await read(response.body, signal);
      if (content === undefined) throw new StorageError(response.status, '', call, 'sends more than a file can have');
      return { status: response.status, content };
    }),
  );
  return fetched.content;
}

async function refuseUnlessOk(
  { status, body }: FetchedResponse,
  call: ConstructorParameters<typeof StorageError>[2],
): Promise<void> {
  if (status >= 200 && status < 300) return;
  const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(new TextDecoder().decode(await bodyBytes(body, PIECE_BYTES))) ?? [];
  throw new StorageError(status, code, call);
}

/** A whole file, or undefined if it has more bytes than storage holds. */
export async function wholeFile(body: unknown, ending: AbortSignal): Promise<Blob | undefined> {
  const parts = await unlessAborted(bodyParts(body, LONGEST_DOWNLOAD_BYTES), ending);
  return parts && new Blob(parts, { type: PDF });
}

/** The bytes as they come, which the signal ends. */
export function streamOf(body: unknown, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  // A body of another make becomes a web stream.
  const stream = new Response(body as BodyInit | null).body ?? new Blob().stream();
  return stream.pipeThrough(new TransformStream(), signal === undefined ? {} : { signal });
}

async function blobOf(source: UploadSource): Promise<Blob> {
  if (source instanceof Blob) return source;
  if (!(Symbol.asyncIterator in source)) return new Blob([source as Uint8Array<ArrayBuffer>]);
  const parts = await bodyParts(source, LONGEST_BYTES);
  if (parts === undefined) throw new RangeError(`A file may have at most ${LONGEST_BYTES} bytes.`);
  return new Blob(parts);
}

/** As the forms of browsers write a name between quotation marks. */
const quoted = (name: string) => `"${name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

/**
 * A form of storage (RFC 7578), which tells how much of its file was taken: that is when fetch sends it. The client makes
 * it itself, since a `fetch` of another make does not know the FormData of this runtime.
 */
class UploadForm extends Blob {
  readonly #headBytes: number;
  readonly #fileBytes: number;
  readonly #report: UploadOptions['onProgress'];

  constructor(fields: Readonly<Record<string, string>>, file: Blob, name: string, report: UploadOptions['onProgress']) {
    const boundary = `form-${crypto.randomUUID()}`;
    const part = (more: string) => `--${boundary}\r\nContent-Disposition: form-data; name=${more}\r\n\r\n`;
    const texts = Object.entries(fields).map(([field, value]) => `${part(quoted(field))}${value}\r\n`);
    const last = part(`"file"; filename=${quoted(name)}\r\nContent-Type: ${PDF}`);
    const head = new Blob([...texts, last]);
    super([head, file, `\r\n--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
    this.#headBytes = head.size;
    this.#fileBytes = file.size;
    this.#report = report;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let at = 0;
    const pull = async (out: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      // What was taken before is on its way.
      if (at > this.#headBytes) this.#report?.(Math.min(at - this.#headBytes, this.#fileBytes), this.#fileBytes);
      const piece = new Uint8Array(await this.slice(at, at + PIECE_BYTES).arrayBuffer());
      at += piece.length;
      out.enqueue(piece);
      if (at >= this.size) out.close();
    };
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }
}
