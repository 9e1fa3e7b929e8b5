/**
 * Compares two contracts by oasdiff. It is written in Go: where neither it nor Go is installed, nothing is compared. A second
 * checker in TypeScript, for machines without Go, would be a thousand lines that find less.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXIT } from '../kit/command-line.ts';
import { goTool } from '../kit/tools.ts';
import { type Contract, ContractError } from './read.ts';
import { spelledOut } from './sentences-of-tables.ts';

/** A difference that clients can notice, in the words of oasdiff. */
export interface Finding {
  /** The name of the check. */
  readonly id: string;
  /** 1 for what no client minds, more for what may break one. */
  readonly level: 1 | 2 | 3;
  /** What changed. */
  readonly text: string;
  readonly operation: string;
  readonly path: string;
}

/** The path of the program, which is built if it is not there. @throws ContractError if it cannot be */
export async function oasdiffProgram(): Promise<string> {
  const found = await goTool(join(import.meta.dirname, 'oasdiff'), console.error, { isPlain: true });
  if ('missing' in found) throw new ContractError(`Nothing was compared: ${found.missing}.`);
  return found.path;
}

/** The exit code of a command that compares: a contract that cannot be used is no finding. */
export const comparingCode = (error: unknown) => (error instanceof ContractError ? EXIT.usage : undefined);

/**
 * Where D-32 promises more than oasdiff does by itself: whatever clients know stays. It promises less in one place: values
 * may be added to a list that is answered.
 */
const LEVELS: Readonly<Record<string, 'err' | 'info'>> = {
  'api-operation-id-removed': 'err',
  'request-body-default-value-changed': 'err',
  'request-body-default-value-removed': 'err',
  'request-property-default-value-changed': 'err',
  'request-property-default-value-removed': 'err',
  'response-body-any-of-removed': 'err',
  'response-body-one-of-removed': 'err',
  'response-mediatype-enum-value-removed': 'err',
  'response-non-success-status-removed': 'err',
  'response-optional-property-removed': 'err',
  'response-property-any-of-removed': 'err',
  'response-property-enum-value-added': 'info',
  'response-property-enum-value-removed': 'err',
  'response-property-one-of-removed': 'err',
  'response-success-status-added': 'err',
};

/** Whether a difference breaks a client of the old contract (D-32). A text without an encoding takes the encoded one, too. */
export const isBreak = ({ id, level, text }: Finding): boolean =>
  level > 1 && !(id === 'request-property-content-encoding-changed' && text.endsWith('to ``'));

/** Every difference between two contracts that a client can notice. @param oasdiff the program */
export async function findingsBetween(
  oasdiff: string,
  oldContract: Contract,
  newContract: Contract,
): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'contracts-'));
  const written = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  try {
    const before = await written('before.json', JSON.stringify(spelledOut(oldContract)));
    const after = await written('after.json', JSON.stringify(spelledOut(newContract)));
    const lines = Object.entries(LEVELS).map((level) => level.join(' '));
    const levels = await written('levels', `${lines.join('\n')}\n`);
    const argv = ['changelog', before, after, '--severity-levels', levels, '--format', 'json'];
    const { stdout } = await promisify(execFile)(oasdiff, argv, { maxBuffer: 2 ** 26 });
    return JSON.parse(stdout || '[]') as Finding[];
  } finally {
    await rm(folder, { recursive: true });
  }
}
