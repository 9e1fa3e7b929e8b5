/** `npm run eds`: a certificate authority, signers and signatures for tests. None of them has any legal value. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import {
  commaList,
  commandLine,
  invalid,
  type Output,
  refuse,
  runProgram,
  standardOutput,
} from '../../kit/command-line.ts';
import { controlDigit } from '../../world/control-digit.ts';
import {
  type HashName,
  type Identity,
  type KeyKind,
  type KeyUsageName,
  keyUsages,
} from '../../world/eds/certificates.ts';
import { newAuthority, newSigner, readIdentity, writeIdentity } from '../../world/eds/folder.ts';
import { makeCms, withLooseAttributes } from '../../world/eds/signatures.ts';

const NOTES = `
THIS IS A TEST AUTHORITY. Its certificates prove nothing about anybody; never add it to a tenant that holds real documents.
Exit codes: 0 done, 1 refused or a file that cannot be read or written, 2 wrong usage.

Examples:
  npm run eds -- ca --out .data/eds/ca
  npm run settings -- trust-anchors add --title "Test CA" --file .data/eds/ca/certificate.pem
  npm run eds -- certificate --ca .data/eds/ca --iin 850101300120 --out .data/eds/signer
  npm run -s eds -- sign --certificate .data/eds/signer --file document.pdf --json`;

const WARNING = 'TEST ONLY: not a real certificate authority, not a real person, no legal value.\n';

interface Surroundings extends Output {
  readonly now: () => Date;
}

/** Refuses IINs that could belong to a person: nothing made here may look like a proof of identity. */
function inventedIin(text: string): string {
  if (!/^\d{12}$/.test(text)) invalid('It must have 12 digits.');
  if (controlDigit(text.slice(0, 11)) === Number(text.at(-1))) {
    invalid('Its last digit is the right control digit, so a person may have it. Invent another.');
  }
  return text;
}

function usages(text: string): KeyUsageName[] {
  const names = commaList(text);
  const unknown = names.filter((name) => !(name in keyUsages));
  if (unknown.length > 0) invalid(`It must be a list of: ${Object.keys(keyUsages).join(', ')}.`);
  return names as KeyUsageName[];
}

/** Runs work that touches files; a failure is reported in one sentence. */
async function touching<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return refuse(code === 'EEXIST' ? `${what} is there already; take another folder.` : `${what}: ${message}`);
  }
}

const algorithm = () => new Option('--algorithm <name>', 'kind of the key').choices(['rsa', 'ec']).default('ec');

interface SignFlags {
  certificate: string;
  file: string;
  scheme: string;
  out?: string;
  json?: boolean;
}

const HASHES = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

const WRONG_SCHEMES = ['sha256-then-sha512', 'sha256-not-der'] as const;

const scheme = () =>
  new Option(
    '--scheme <name>',
    'the hash; with pss- before it, an RSA key signs by RSASSA-PSS; -then- names another hash of the signature, and -not-der signs attributes that are not DER',
  )
    .choices([...HASHES, ...HASHES.map((hash) => `pss-${hash}`), ...WRONG_SCHEMES])
    .default('sha256');

async function sign(flags: SignFlags, { stdout, stderr, now }: Surroundings): Promise<void> {
  const { certificate, file, scheme: name, out, json } = flags;
  const signer = await touching(certificate, () => readIdentity(certificate));
  const pss = name.startsWith('pss-');
  const [hash, signatureHash] = name.replace(/^pss-|-not-der$/g, '').split('-then-') as [HashName, HashName?];
  const digest = await touching(file, async () => {
    const sum = createHash(hash);
    for await (const piece of createReadStream(file)) sum.update(piece);
    return sum.digest();
  });
  const made = makeCms({
    content: { digest },
    signers: [signer],
    certificates: signer.chain ?? [],
    at: now(),
    scheme: { hash, pss },
    ...(signatureHash && { signatureHash }),
  });
  const der = name.endsWith('-not-der') ? withLooseAttributes(made, signer, { hash, pss }) : made;
  stderr(WARNING);
  const value = Buffer.from(der).toString('base64');
  if (json) stdout(`${JSON.stringify({ signature: { format: 'CMS', value } })}\n`);
  else if (out === undefined) stdout(`${value}\n`);
  if (out !== undefined) await touching(out, () => writeFile(out, der));
}

function edsProgram({ stdout, stderr, now }: Surroundings): Command {
  const output = { stdout, stderr };
  const program = commandLine(
    'eds',
    'Test certificates and detached CMS signatures (D-21).',
    output,
  ).showHelpAfterError('Add --help for what is possible.');
  const written = async (dir: string, identity: Identity) => {
    await touching(dir, () => writeIdentity(dir, identity));
    stderr(WARNING);
    stdout(`Wrote ${dir}/certificate.pem and ${dir}/key.pem.\n`);
  };
  program
    .command('ca')
    .description('Make a test authority, valid for ten years.')
    .requiredOption('--out <folder>', 'where its certificate and key go')
    .addOption(algorithm())
    .action((flags: { out: string; algorithm: KeyKind }) => written(flags.out, newAuthority(flags.algorithm, now())));
  program
    .command('certificate')
    .description('Make a signer under a test authority, valid for a year.')
    .requiredOption('--ca <folder>', 'the authority: what eds ca wrote')
    .requiredOption('--iin <digits>', 'an invented IIN: 12 digits whose control digit is wrong', inventedIin)
    .requiredOption('--out <folder>', 'where its certificate and key go')
    .addOption(algorithm())
    .option('--expired', 'it expired yesterday')
    .option('--usage <names>', 'key usages, comma between them (default: digitalSignature,nonRepudiation)', usages)
    .action(
      async (flags: {
        ca: string;
        iin: string;
        out: string;
        algorithm: KeyKind;
        expired?: boolean;
        usage?: KeyUsageName[];
      }) => {
        const { iin, algorithm: kind, expired = false, usage } = flags;
        const ca = await touching(flags.ca, () => readIdentity(flags.ca));
        await written(flags.out, newSigner(ca, { iin, kind, expired, ...(usage && { usage }) }, now()));
      },
    );
  program
    .command('sign')
    .description('Sign a file: a detached CMS SignedData, as base64 on standard output or as DER into a file.')
    .requiredOption('--certificate <folder>', 'the signer: what eds certificate wrote')
    .requiredOption('--file <path>', 'what is signed, of any size')
    .addOption(scheme())
    .option('--out <path>', 'write DER to this file instead of base64 on standard output')
    .option('--json', 'print {"signature": {"format", "value"}}: a body for the operation _sign')
    .action((flags: SignFlags) => sign(flags, { stdout, stderr, now }));
  for (const command of [program, ...program.commands]) command.addHelpText('after', NOTES);
  return program;
}

/** Runs one command line. @param argv without the program's own name @returns the exit code */
export function eds(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  return runProgram(edsProgram(surroundings), argv);
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  return eds(argv, { ...standardOutput, now: () => new Date() });
}
