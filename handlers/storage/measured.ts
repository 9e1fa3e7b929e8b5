/** Storage whose operations the metrics measure. */
import { ApiError } from '../answers/errors.ts';
import { HTTP_SECONDS, histogram } from '../runtime/metrics.ts';
import { noteSpan, type SpanDescription } from '../runtime/tracing.ts';
import type { Storage } from './storage.ts';

const storageDuration = histogram(
  'storage_operation_duration_seconds',
  'Time of operations on stored files, of a read until its bytes begin; error_type is absent if they succeeded.',
  HTTP_SECONDS,
  'storage_operation',
  'error_type',
);

/** Measures all operations that ask the storage; presigned forms and URLs are made without it. */
export function measuredStorage(storage: Storage): Storage {
  return {
    uploadForm: (...asked) => storage.uploadForm(...asked),
    downloadUrl: (...asked) => storage.downloadUrl(...asked),
    latest: (...asked) => measured('latest', () => storage.latest(...asked)),
    write: (...asked) => measured('write', () => storage.write(...asked)),
    remove: (...asked) => measured('remove', () => storage.remove(...asked)),
    async read(...asked) {
      const startedMs = performance.now();
      return counted(await measured('read', () => storage.read(...asked)), startedMs);
    },
  };
}

async function measured<T>(operation: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    const result = await work();
    storageDuration.observe({ storage_operation: operation }, (performance.now() - startedMs) / 1_000);
    noteSpan(() => spanOf(operation), startedMs);
    return result;
  } catch (error) {
    countFailure(operation, startedMs, error);
    throw error;
  }
}

/** Passes the bytes on, and counts a read that breaks off. */
async function* counted(bytes: AsyncIterable<Uint8Array>, startedMs: number): AsyncIterable<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    countFailure('read', startedMs, error);
    throw error;
  }
}

function countFailure(storage_operation: string, startedMs: number, error: unknown): void {
  const error_type = error instanceof ApiError ? 'unavailable' : 'other';
  storageDuration.observe({ storage_operation, error_type }, (performance.now() - startedMs) / 1_000);
  noteSpan(() => spanOf(storage_operation), startedMs, error_type);
}

const spanOf = (operation: string): SpanDescription => ({ name: `storage ${operation}`, kind: 'client' });
