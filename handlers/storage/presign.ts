/**
 * Forms and URLs that let somebody without credentials put or get one object: signed by the AWS SDK for both storages.
 */
import { GetObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { machineMs, now, nowMs } from '../runtime/clock.ts';
import type { ObjectVersion, Storage } from './storage.ts';

/** The part of a storage that only signs and makes no calls. */
export interface Presigner extends Pick<Storage, 'uploadForm' | 'downloadUrl'> {
  /** The URL of a version as it is signed at a time. @param disposition with which, and as which type, it is sent */
  signedUrl(
    object: ObjectVersion,
    sent: { readonly disposition: string; readonly type: string },
    at: Date,
    seconds: number,
  ): Promise<string>;
}

/** Signs for one bucket, by the service's clock. @param config configuration of a client that sends nothing */
export function presigner(config: S3ClientConfig, bucket: string): Presigner {
  const client = new S3Client({
    ...config,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const signedUrl: Presigner['signedUrl'] = ({ key, version }, { disposition, type }, signingDate, expiresIn) => {
    const sent = { ResponseContentDisposition: disposition, ResponseContentType: type };
    const command = new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: version, ...sent });
    return getSignedUrl(client, command, { expiresIn, signingDate });
  };
  return {
    signedUrl,
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
    downloadUrl(object, { filename, content_type: type }, lifetimeMs) {
      const sent = { disposition: attachment(filename), type };
      return signedUrl(object, sent, now(), Math.floor(lifetimeMs / 1000));
    },
  };
}

/** File systems and URLs accept this length in any script, even percent-encoded twice. */
const MAX_LENGTH = 150;
const MAX_EXTENSION = 12;

/** Control, format (including those that change the text direction) and separator characters, and lone surrogates. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A name that is safe to show and to save: one line, no path, at most 150 characters with its extension kept. */
function plainName(filename: string): string {
  const clean = filename.replace(UNPRINTABLE, '').replace(/[/\\]/g, '_').trim();
  const characters = [...clean];
  if (characters.length <= MAX_LENGTH) return clean === '' ? 'file' : clean;
  const extension = [...(/\.[^.]+$/.exec(clean)?.[0] ?? '')].slice(0, MAX_EXTENSION);
  return [...characters.slice(0, MAX_LENGTH - extension.length), ...extension].join('');
}

/** The text with everything except `attr-char` of RFC 8187 §3.2.1 percent-encoded as UTF-8. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `Content-Disposition` of a download (RFC 6266): an attachment, the name in ASCII for old clients and in full. */
export function attachment(filename: string): string {
  const name = plainName(filename);
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extendedValue(name)}`;
}
