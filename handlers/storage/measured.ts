/** Storage whose operations the metrics measure. */
import { ApiError } from '../answers/errors.ts';
import { HTTP_SECONDS, histogram, timed } from '../runtime/metrics.ts';
import { noteSpan } from '../runtime/tracing.ts';
import { guarded } from './byte-streams.ts';
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
      return guarded(await measured('read', () => storage.read(...asked)), (error) => {
        note('read', startedMs, { error_type: kindOf(error) });
        throw error;
      });
    },
  };
}

const kindOf = (error: unknown) => (error instanceof ApiError ? 'unavailable' : 'other');

function measured<T>(operation: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  return timed(work, (ended) => note(operation, startedMs, ended), kindOf);
}

function note(operation: string, startedMs: number, ended: { readonly error_type?: string }): void {
  storageDuration.observe({ storage_operation: operation, ...ended }, (performance.now() - startedMs) / 1_000);
  noteSpan(() => ({ name: `storage ${operation}`, kind: 'client' }), startedMs, ended.error_type);
}
