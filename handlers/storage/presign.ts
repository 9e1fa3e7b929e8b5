/**
 * Forms and URLs that let somebody without credentials put or get one object: signed by the AWS SDK for both storages.
 */
import { GetObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { machineMs, now, nowMs } from '../process/clock.ts';
import { attachment } from './disposition.ts';
import type { Storage } from './storage.ts';

/** The part of a storage that only signs and makes no calls. */
export type Presigner = Pick<Storage, 'uploadForm' | 'downloadUrl'>;

/** Signs for one bucket, by the service's clock. @param config configuration of a client that sends nothing */
export function presigner(config: S3ClientConfig, bucket: string): Presigner {
  const client = new S3Client({
    ...config,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    async uploadForm(key, contentType, maxBytes, lifetimeMs) {
      // The date of a form can be set only through the client's clock offset.
      client.config.systemClockOffset = nowMs() - machineMs();
      const seconds = Math.floor(lifetimeMs / 1000);
      const expireMs = (Math.floor(nowMs() / 1000) + seconds) * 1000;
      const { url, fields } = await createPresignedPost(client, {
        Bucket: bucket,
        Key: key,
        Fields: { 'Content-Type': contentType },
        Conditions: [['content-length-range', 1, maxBytes]],
        Expires: seconds,
      });
      return { url, fields, expire_time: new Date(expireMs) };
    },
    downloadUrl(object, { filename, content_type }, lifetimeMs) {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: object.key,
        VersionId: object.version,
        ResponseContentDisposition: attachment(filename),
        ResponseContentType: content_type,
      });
      return getSignedUrl(client, command, { expiresIn: Math.floor(lifetimeMs / 1000), signingDate: now() });
    },
  };
}
