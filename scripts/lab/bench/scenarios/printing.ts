/**
 * The processor time of printing and of verifying signatures, in the bench's own process. The service prints in threads
 * of its own (`handlers/documents/pdf/printer.ts`), with the same code.
 */
import { createHash } from 'node:crypto';
import { print } from '../../../../handlers/documents/pdf/print.ts';
import { verifyCms } from '../../../../handlers/documents/signing/cms.ts';
import { median } from '../../../kit/statistics.ts';
import type { KeyKind } from '../../../world/eds/certificates.ts';
import { newAuthority, newSigner } from '../../../world/eds/folder.ts';
import { makeCms } from '../../../world/eds/signatures.ts';
import { finding, type Scenario } from '../../scenario.ts';
import { inRounds, type Measuring, measuring } from '../measuring.ts';
import { printedDocuments } from './printed-documents.ts';

const TIMES_SMALL = 10;
/** How often a signature is verified in a round: once takes too little time to measure. */
const VERIFIED = 50;
// Invented: the last digit is not the check digit of the others.
const IIN = '850101300120';
const PDF = Buffer.from('%PDF-1.7\nThe bytes that are signed.\n%%EOF\n');

/** Verifies one signature, whose signer and authority both have keys of the kind. */
function verification(kind: KeyKind): () => Promise<unknown> {
  const at = new Date();
  const authority = newAuthority(kind, at);
  const signer = newSigner(authority, { iin: IIN, kind }, at);
  const value = Buffer.from(makeCms({ content: PDF, signers: [signer], at })).toString('base64');
  const sha256 = createHash('sha256').update(PDF).digest('hex');
  const read = () => Promise.reject(new Error('a digest by SHA-256 is known, so nothing is read'));
  const requirements = { anchors: [authority.certificate], iin: IIN, at };
  return () => verifyCms(value, { sha256, read }, requirements);
}

function often(count: number, work: () => Promise<unknown>): () => Promise<void> {
  return async () => {
    for (let nth = 0; nth < count; nth++) await work();
  };
}

/** @returns what measures the processor time of some work, of all threads of this process, in milliseconds */
const timing = (work: () => Promise<unknown>) => async () => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

async function run({ isQuick, say }: Measuring) {
  const kinds = [['RSA-2048', 'rsa'] as const, ['ECDSA P-256', 'ec'] as const];
  const works = [
    ...Object.entries(printedDocuments).map(([name, make]) => [name, timing(() => print(make()))] as const),
    ...kinds.map(([name, kind]) => [name, timing(often(VERIFIED, verification(kind)))] as const),
  ];
  const times = await inRounds(Object.fromEntries(works), isQuick ? 1 : 15, say);
  const timeOf = (name: string) => median(times(name));
  const one = (name: keyof typeof printedDocuments) => timeOf(name);
  return [
    finding('PDF of a small document: a contract of two pages', one('small'), 'ms'),
    finding('PDF of a heavy one: 200 rows of 200 pictures', one('heavy'), 'ms'),
    finding('ratio of the heavy one to the small one', one('heavy') / one('small'), '×', { most: TIMES_SMALL }),
    finding('signing sheet of 5 acts', one('signing sheet, 5 acts'), 'ms'),
    finding('signing sheet of 1,000 acts', one('signing sheet, 1,000 acts'), 'ms'),
    ...kinds.map(([name]) => finding(`verification of a CMS signature, ${name}`, timeOf(name) / VERIFIED, 'ms')),
  ];
}

/** The scenario. */
export const printing: Scenario = {
  name: 'printing',
  about: 'processor time of a small PDF, a heavy one and signing sheets, and of verifying signatures',
  finds: 'a document that costs much more processor time than a small one',
  run: measuring(run),
};
