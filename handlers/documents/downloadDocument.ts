import { fail } from '../answers/errors.ts';
import { timeText } from '../answers/shown-times.ts';
import type { Handler } from '../http/handler.ts';
import { now } from '../runtime/clock.ts';

const LIFETIME_MS = 5 * 60 * 1000;

/** A presigned URL of one of the document's files; without a `file_id`, the URL of its own PDF (D-22). */
export const downloadDocument: Handler<'downloadDocument'> = async ({ caller, path, query, storage }) => {
  const { files } = await caller.documents.get(path.document_id);
  const { file_id: wanted } = query;
  const file =
    files.find(({ file_id, file_type }) =>
      wanted === undefined ? file_type === 'FILE_TYPE_PDF' : file_id === wanted,
    ) ?? fail('FILE_NOT_FOUND');
  const { file_id, file_type, filename, content_type, object } = file;
  const expire_time = timeText(new Date(now().getTime() + LIFETIME_MS), 'expire_time', file_id);
  const url = await storage.downloadUrl(object, { filename, content_type }, LIFETIME_MS);
  const size_bytes = String(object.size_bytes);
  return { file: { file_id, file_type, filename, content_type, size_bytes }, url, expire_time };
};
