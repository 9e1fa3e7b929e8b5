/** Checks of the bucket: whether it is reached, what it keeps, its clock, and each thing that the service does in it. */
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type TransitionStorageClass,
} from '@aws-sdk/client-s3';
import { databaseMs } from '../runtime/clock.ts';
import type { DeploymentCheck } from './check.ts';
import { aheadWords, CheckSkip, doubtful, fine, reasonFor, skipped, timed, wrong } from './finding.ts';

/** The code of an error of S3, which is its name. */
const codeOf = (error: unknown): string => {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode === undefined ? reasonFor(error) : (name ?? 'unknown');
};

const REFUSALS: Readonly<Record<string, readonly [says: string, todo: string]>> = {
  NoSuchBucket: [
    'the service has no such bucket',
    'Create it, with versioning on; or correct S3_BUCKET or S3_ENDPOINT.',
  ],
  InvalidAccessKeyId: ['the service does not know S3_ACCESS_KEY_ID', 'Correct it.'],
  SignatureDoesNotMatch: [
    'the service refuses the signature',
    'Correct S3_SECRET_ACCESS_KEY; or a proxy at S3_ENDPOINT changes Host.',
  ],
  RequestTimeTooSkewed: ['its clock and that of this machine are too far apart', 'Set both by NTP.'],
  AccessDenied: ['S3_ACCESS_KEY_ID may not list the versions in it', 'Allow s3:ListBucketVersions.'],
  PermanentRedirect: ['the bucket is in another region', 'Correct S3_REGION.'],
  AuthorizationHeaderMalformed: ['the bucket is in another region', 'Correct S3_REGION.'],
};

/**
 * What a call answers; undefined where the credentials lack the right to it.
 * @throws CheckSkip where the bucket does not answer as it should, which another check tells about
 */
async function allowed<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  return call.catch((error: unknown) => {
    const code = codeOf(error);
    if (code === 'AccessDenied') return undefined;
    throw new CheckSkip(`the bucket does not answer as it should: ${code}`);
  });
}

const ARCHIVES: readonly string[] = ['GLACIER', 'DEEP_ARCHIVE'] satisfies TransitionStorageClass[];

/** Beyond the first, forms and URLs live noticeably shorter; beyond the second, much of their 15 minutes is gone. */
const CLOCK_MS = { differs: 5_000, wrong: 60_000 };

/** Where checks write; nothing else does. */
export const CHECK_KEYS = 'check/';

export const bucketChecks: readonly DeploymentCheck[] = [
  {
    name: 'bucket.reach',
    about: 'the S3 service answers, knows the bucket and the credentials',
    async run({ bucket }) {
      const { client, Bucket } = bucket();
      try {
        await client.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 1 }));
        return fine('answers');
      } catch (error) {
        const code = codeOf(error);
        const known = REFUSALS[code];
        if (known !== undefined) return wrong(...known);
        return wrong(
          `is not reached: ${code}`,
          'See S3_ENDPOINT, the network, and whether the certificate is trusted (NODE_EXTRA_CA_CERTS).',
        );
      }
    },
  },
  {
    name: 'bucket.versioning',
    about: 'the bucket keeps versions',
    async run({ bucket }) {
      const { client, Bucket } = bucket();
      const answer = await allowed(client.send(new GetBucketVersioningCommand({ Bucket })));
      if (answer === undefined) return wrong('may not be read, so no process starts', 'Allow s3:GetBucketVersioning.');
      if (answer.Status === 'Enabled') return fine('is on');
      return wrong(
        'is off: a confirmed file could be replaced, so no process starts',
        `aws s3api put-bucket-versioning --bucket ${Bucket} --versioning-configuration Status=Enabled`,
      );
    },
  },
  {
    name: 'bucket.lifecycle',
    about: 'incomplete uploads are aborted, and no rule removes files',
    async run({ bucket }) {
      const { client, Bucket } = bucket();
      const advice = 'Add a rule with AbortIncompleteMultipartUpload, such as after 7 days.';
      try {
        const { Rules = [] } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
        const active = Rules.filter(({ Status }) => Status === 'Enabled');
        const expiring = active.filter(
          ({ Expiration, NoncurrentVersionExpiration: old }) => Expiration?.Days || Expiration?.Date || old,
        );
        const moving = active.flatMap(({ Transitions = [], NoncurrentVersionTransitions: old = [] }) => [
          ...Transitions,
          ...old,
        ]);
        const archives = moving.map(({ StorageClass = '' }) => StorageClass).filter((name) => ARCHIVES.includes(name));
        if (archives.length > 0) {
          return wrong(
            `a rule moves files to ${archives.join(', ')}, where nobody can read them at once`,
            'Remove the rule, or move them to a class that is read at once.',
          );
        }
        if (expiring.length > 0) {
          return wrong(
            'a rule removes objects or their former versions, which documents still refer to',
            'Remove the rule: the service removes what nobody needs.',
          );
        }
        if (active.some((rule) => rule.AbortIncompleteMultipartUpload))
          return fine('a rule aborts incomplete multipart uploads');
        return doubtful(
          'no rule aborts incomplete multipart uploads: what a killed process has begun stays for ever',
          advice,
        );
      } catch (error) {
        const code = codeOf(error);
        if (code === 'NoSuchLifecycleConfiguration')
          return doubtful('there is none: what a killed process has begun to upload stays for ever', advice);
        if (code === 'AccessDenied')
          return skipped('may not be read with these credentials (s3:GetLifecycleConfiguration)');
        return skipped(`the service does not tell it: ${code}`);
      }
    },
  },
  {
    name: 'bucket.clock',
    about: "its clock agrees with the database's",
    async run({ bucket }) {
      const { client, Bucket, lastAnswer } = bucket();
      // A refusal has a time as well.
      await client.send(new GetBucketVersioningCommand({ Bucket })).catch(() => {});
      const last = lastAnswer();
      if (last === undefined) return skipped('the bucket does not say its time');
      const aheadMs = last.itsMs - last.databaseMs;
      const words = `its clock is ${aheadWords(aheadMs)} the database's, by which forms and URLs are signed`;
      if (Math.abs(aheadMs) > CLOCK_MS.wrong) return wrong(words, 'Set both by NTP.');
      if (Math.abs(aheadMs) > CLOCK_MS.differs) return timed(doubtful(words, 'Set both by NTP.'));
      return fine(`its clock is within ${CLOCK_MS.differs / 1_000} s of the database's`);
    },
  },
  {
    name: 'bucket.rights',
    about: 'each action that the service needs is allowed',
    /** Does each thing once under a key of its own. What cannot be removed is not made. */
    async run({ bucket, undo }) {
      const { client, Bucket, storage } = bucket();
      const Key = `${CHECK_KEYS}rights-${databaseMs().toString(36)}`;
      const refused: string[] = [];
      const attempt = async <Answer>(right: string, call: Promise<Answer>) => {
        const answer = await allowed(call);
        if (answer === undefined) refused.push(right);
        return answer;
      };
      const Delete = { Objects: [{ Key, VersionId: 'null' }], Quiet: true };
      const deleted = await attempt(
        's3:DeleteObjectVersion',
        client.send(new DeleteObjectsCommand({ Bucket, Delete })),
      );
      if (deleted?.Errors?.some(({ Code }) => Code === 'AccessDenied')) refused.push('s3:DeleteObjectVersion');
      await attempt('s3:ListBucketVersions', client.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 1 })));
      if (refused.length > 0)
        return wrong(
          `the credentials lack ${refused.join(', ')}; the rest was not tried`,
          `Allow ${refused.join(', ')}.`,
        );
      undo(`the object ${Key}`, () => storage.remove(Key));
      const put = { Bucket, Key, Body: 'check', ContentType: 'text/plain' };
      const VersionId = (await attempt('s3:PutObject', client.send(new PutObjectCommand(put))))?.VersionId;
      // With a body, the answer names the code of a refusal.
      const read = async (version?: string) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId: version }));
        return Body?.transformToString();
      };
      await attempt('s3:GetObject', read());
      if (VersionId !== undefined) await attempt('s3:GetObjectVersion', read(VersionId));
      const begun = client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      await attempt(
        's3:AbortMultipartUpload',
        begun.then(({ UploadId }) => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))),
      );
      if (refused.length > 0)
        return wrong(`the credentials lack ${refused.join(', ')}`, `Allow ${refused.join(', ')}.`);
      await storage.remove(Key).catch(() => {});
      const { Versions = [] } = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key }));
      if (Versions.length > 0) {
        return wrong(
          'what was removed is still there, so nothing of an erased person would go: the bucket locks objects',
          'Remove its retention and legal holds; the service needs a bucket without object lock.',
        );
      }
      return fine('objects can be written, read, listed by version and removed, uploads aborted');
    },
  },
];
