import { randomUUID } from 'node:crypto';
import { timeText } from '../answers/shown-times.ts';
import type { FileRow } from '../data/collections/files.ts';
import type { Handler } from '../http/handler.ts';
import { now } from '../runtime/clock.ts';
import { uploadKey } from '../storage/storage.ts';
import { RESERVED_FOR_MS } from '../storage/uploads.ts';
import { FORM_LIFETIME_MS, MAX_UPLOAD_BYTES } from './upload.ts';
import { fileView } from './view.ts';

/** Reserves an upload and makes the form for its bytes (D-23). */
export const reserveFile: Handler<'reserveFile'> = async ({ caller, body, storage }) => {
  const _id = randomUUID();
  const at = now();
  const key = uploadKey(caller.tenant.id, _id);
  // Before the row is written, so that no unusable reservation exists if the storage is away.
  const form = await storage.uploadForm(key, body.content_type, MAX_UPLOAD_BYTES, FORM_LIFETIME_MS);
  const row: FileRow = {
    _id,
    tenant_id: caller.tenant.id,
    owner_id: caller.owner.id,
    filename: body.filename,
    content_type: body.content_type,
    reserved_bytes: Number(body.size_bytes),
    status: 'FILE_UPLOAD_STATUS_RESERVED',
    object: null,
    confirmed_at: null,
    document_id: '',
    linked_at: null,
    sweep_at: new Date(at.getTime() + RESERVED_FOR_MS),
    create_time: at,
    update_time: at,
  };
  await caller.inTenant('files').insert(row);
  const upload = {
    url: form.url,
    fields: { ...form.fields },
    expire_time: timeText(form.expire_time, 'expire_time', row._id),
  };
  return { file: fileView(row), upload };
};
