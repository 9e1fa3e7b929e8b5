/** The bucket as checks reach it. */
import { S3Client } from '@aws-sdk/client-s3';
import { databaseMs } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { s3ClientConfig, s3Storage } from '../storage/s3.ts';
import { CheckSkip } from './finding.ts';

/** Limits of one call, in milliseconds: a person waits for it. */
const TIMEOUTS = { connectionTimeout: 2_000, requestTimeout: 5_000, socketTimeout: 5_000 };

export type CheckedBucket = ReturnType<typeof checkedBucket>;

/** The bucket of a configuration; nothing is called yet. @throws CheckSkip where files are in a folder */
export function checkedBucket(config: Config) {
  const { S3_BUCKET: Bucket } = config;
  if (Bucket === undefined) throw new CheckSkip('files are kept in a folder');
  const client = new S3Client({
    ...s3ClientConfig(config),
    requestHandler: { ...TIMEOUTS, throwOnRequestTimeout: true },
  });
  let last: { readonly itsMs: number; readonly databaseMs: number } | undefined;
  client.middlewareStack.add(
    (next) => async (sent) => {
      const answered = await next(sent);
      const { headers = {} } = answered.response as { headers?: Readonly<Record<string, string>> };
      const itsMs = Date.parse(headers.date ?? '');
      if (!Number.isNaN(itsMs)) last = { itsMs, databaseMs: databaseMs() };
      return answered;
    },
    { step: 'deserialize', name: 'dateOfAnswer', priority: 'low' },
  );
  const storage = s3Storage(config, TIMEOUTS);
  return {
    client,
    Bucket,
    storage,
    /** The time of the answer to the last call, by the clock of the service and by the database's; absent before one. */
    lastAnswer: () => last,
    stop() {
      client.destroy();
      storage.stop();
    },
  };
}
