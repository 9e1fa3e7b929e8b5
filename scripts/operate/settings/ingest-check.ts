/** `settings ingests check`: what a batch would do if it were sent now. Nothing is written. */
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { operations } from '../../../generated/contract.ts';
import type { IngestSource } from '../../../handlers/data/collections/external_bindings.ts';
import type { IngestOutcomeRow } from '../../../handlers/data/collections/ingest_outcomes.ts';
import type { RawJson } from '../../../handlers/http/raw-json.ts';
import { chunksOf } from '../../../handlers/ingest/accept.ts';
import { checkBatch } from '../../../handlers/ingest/apply/apply-ingest.ts';
import { noteOf } from '../../../handlers/ingest/apply/notes.ts';
import { refuse } from '../../kit/command-line.ts';
import { type TenantContext, take, type ValueType } from './command.ts';
import { asAnswered, requestBody } from './request-body.ts';
import { bytesOf } from './values.ts';

/** The body of `ingestRecords`, as the service takes it. */
export interface BatchFile {
  readonly payload_type: string;
  readonly create_missing?: boolean;
  readonly records: readonly RawJson[];
}

/** An outcome that is expected, with what a stored one shows. */
export type ExpectedOutcome = Omit<IngestOutcomeRow, '_id' | 'tenant_id' | 'request_id' | 'create_time'>;

async function unpacked(bytes: Buffer): Promise<Buffer> {
  const most = operations.ingestRecords.bodyLimitBytes;
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip
    ? await promisify(gunzip)(bytes, { maxOutputLength: most }).catch((error: NodeJS.ErrnoException) =>
        error.code === 'ERR_BUFFER_TOO_LARGE' ? undefined : refuse(`The file is no whole gzip: ${error.message}.`),
      )
    : bytes;
  if (plain !== undefined && plain.length <= most) return plain;
  return refuse(`The batch is larger than the ${most} bytes that it may have unpacked.`);
}

const batchFile: ValueType<BatchFile> = {
  placeholder: 'path',
  async resolve(_, path) {
    const bytes = await unpacked(await bytesOf(path));
    return (await asAnswered(() => requestBody('ingestRecords', bytes))) as unknown as BatchFile;
  },
};

export const batchParameters = {
  source: take.required<IngestSource>(
    { placeholder: 'source', choices: ['KEDO', 'LEDGER'] },
    'the system it comes from',
  ),
  file: take.required(batchFile, 'the body of the request, also packed with gzip; - reads standard input'),
};

/** What sending a batch now would do with each of its records. */
export async function expectedOutcomes(
  { store, tenant }: TenantContext,
  source_type: IngestSource,
  { payload_type, create_missing = false, records }: BatchFile,
): Promise<ExpectedOutcome[]> {
  const asked = { tenant_id: tenant._id, source_type, payload_type, create_missing };
  const chunks = [];
  for await (const chunk of chunksOf(asked, records, setImmediate)) chunks.push(chunk);
  const outcomes = await checkBatch(store, asked, chunks);
  return outcomes.map(({ notes, object_id, ...outcome }) => ({
    ...outcome,
    // The id of a new object is not known before.
    object_id: outcome.outcome === 'created' ? '' : object_id,
    note: noteOf(notes),
  }));
}
