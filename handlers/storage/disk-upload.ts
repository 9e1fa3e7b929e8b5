/** Receives a form: checks its fields before the first byte of the file is stored, and streams the file to disk. */
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Grant } from './aws-signature.ts';
import type { FileDraft, Folder } from './folder.ts';
import { refuse, StorageRefusal } from './refusal.ts';

/** How much may stand before the file: S3's limit. */
const MOST_BEFORE_FILE_BYTES = 20 * 1024;
/** Parts after the file are ignored, however many they are. */
const LIMITS = {
  fields: 1_000,
  fieldSize: MOST_BEFORE_FILE_BYTES,
  parts: 10_000,
  headerPairs: 16,
  headerSize: 4 * 1024,
};
/** How many bytes fields and boundaries may add to the file. */
const OVERHEAD_BYTES = 64 * 1024;

export class ClientGone extends Error {}

const malformed = (what: string) => new StorageRefusal('MalformedPOSTRequest', what);

function parserOf(req: IncomingMessage): BusboyInstance {
  const type = req.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) {
    refuse('RequestIsNotMultiPartContent', 'The body must be multipart/form-data.');
  }
  try {
    const isPartAFile = (name: string | undefined) => name?.toLowerCase() === 'file';
    return new Busboy({ headers: { ...req.headers, 'content-type': type }, limits: LIMITS, isPartAFile });
  } catch {
    throw malformed('The boundary of the form is missing.');
  }
}

/** The bytes of the file, as many as the form permits. */
async function* within(file: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  let length = 0;
  for await (const chunk of file) {
    length += chunk.length;
    if (length > maxBytes) refuse('EntityTooLarge', 'The file is larger than the form permits.');
    yield chunk;
  }
}

const tooMuch = () => new StorageRefusal('MaxPostPreDataLengthExceeded', 'The fields before the file are too long.');

/** The fields before the file, by their names in lower case; of a field that stands twice the last one counts. */
class FormFields {
  readonly values = new Map<string, string>();
  #bytes = 0;

  /** @returns why the form is refused, if it is */
  add(name: string, value: string, isCut: boolean): StorageRefusal | undefined {
    if (name === '') return malformed('A field has no name.');
    this.#bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    this.values.set(name.toLowerCase(), value);
    return isCut || this.#bytes > MOST_BEFORE_FILE_BYTES ? tooMuch() : undefined;
  }
}

/**
 * Stores the file of a form, or nothing. @throws StorageRefusal; ClientGone when the connection ends before the form
 */
export async function receiveForm(
  req: IncomingMessage,
  folder: Folder,
  check: (fields: ReadonlyMap<string, string>) => Grant,
): Promise<void> {
  const parser = parserOf(req);
  const fields = new FormFields();
  let file: BusboyFileStream | undefined;
  let grant: Grant | undefined;
  let draft: Promise<FileDraft> | undefined;
  const whole = new Promise<void>((resolve, reject) => {
    parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
      // S3 ignores what follows the file, such as the button of a browser's form.
      const refusal = file === undefined ? fields.add(name ?? '', value, valueCut) : undefined;
      if (refusal !== undefined) reject(refusal);
    });
    parser.on('file', (_name, stream) => {
      stream.on('error', () => {});
      if (file !== undefined) return void stream.resume();
      file = stream;
      try {
        grant = check(fields.values);
        if (Number(req.headers['content-length']) > grant.maxBytes + OVERHEAD_BYTES) {
          refuse('EntityTooLarge', 'The file is larger than the form permits.');
        }
      } catch (error) {
        return reject(error);
      }
      draft = folder.draft(within(stream, grant.maxBytes));
      draft.catch(reject);
    });
    parser.on('fieldsLimit', () => file ?? reject(tooMuch()));
    parser.on('error', () => reject(malformed('The form is not well formed, or not complete.')));
    parser.on('finish', resolve);
    req.once('close', () => req.complete || reject(new ClientGone()));
    req.pipe(parser);
  });
  try {
    await whole;
    const complete = await draft;
    if (complete === undefined || grant === undefined) {
      return refuse('IncorrectNumberOfFilesInPostRequest', 'The form must have one file.');
    }
    if (complete.size_bytes < grant.minBytes) refuse('EntityTooSmall', 'The file is empty.');
    await complete.commit(grant.key);
  } catch (error) {
    req.unpipe(parser);
    file?.destroy(error as Error);
    parser.on('error', () => {}).destroy();
    await draft?.then(
      (left) => left.discard(),
      () => {},
    );
    throw error;
  }
}
