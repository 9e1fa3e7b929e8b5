/** The checks of signatures that the docs show, each run with its tool. Each says whether a delivery is genuine. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { signatureOf } from '../../../conformance/callbacks/signature.ts';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { RunningProgram } from '../../kit/program.ts';
import { onPath } from '../../kit/tools.ts';

const folder = temporaryFolder('verify-');
const SECRET = 'whsec_c2VjcmV0IG9mIGEgdGVzdA';
const BODY = '{"id":"1","data":{"title":"Бұйрық"}}';

/** The rest of a program: exit code 0 for a genuine delivery, 1 for another. */
const TOOLS: Readonly<Record<string, readonly [argv: readonly string[], file: string, rest: string]>> = {
  js: [
    [process.execPath],
    'verify.mjs',
    '\nprocess.exit(isGenuine(process.argv[2], process.argv[3], Buffer.from(process.argv[4])) ? 0 : 1);',
  ],
  python: [
    ['python3'],
    'verify.py',
    '\nimport sys\nsys.exit(0 if is_genuine(sys.argv[1], sys.argv[2], sys.argv[3].encode()) else 1)',
  ],
  go: [
    ['go', 'run'],
    'verify.go',
    '\nfunc main() {\n\tif !isGenuine(os.Args[1], os.Args[2], []byte(os.Args[3])) {\n\t\tos.Exit(1)\n\t}\n}',
  ],
  php: [['php'], 'verify.php', '\nexit(is_genuine($argv[1], $argv[2], $argv[3]) ? 0 : 1);'],
  java: [['java', '-Dfile.encoding=UTF-8', '-Dsun.jnu.encoding=UTF-8'], 'verify.java', ''],
  ruby: [['ruby'], 'verify.rb', '\nexit(genuine?(ARGV[0], ARGV[1], ARGV[2]) ? 0 : 1)'],
};

const MAIN =
  '    public static void main(String[] a) throws Exception { System.exit(isGenuine(a[0], a[1], a[2].getBytes(StandardCharsets.UTF_8)) ? 0 : 1); }\n}';

function programOf(file: string, rest: string): string {
  const shown = readFileSync(join(import.meta.dirname, 'verify', file), 'utf8');
  if (file.endsWith('.go')) return shown.replace('"regexp"', '"os"\n\t"regexp"') + rest;
  return file.endsWith('.java') ? shown.replace(/\}\s*$/, MAIN) : shown + rest;
}

const now = Math.floor(Date.now() / 1000);
const signed = (t: number, secret = SECRET) => `t=${t},v1=${signatureOf(secret, t, Buffer.from(BODY))}`;

describe.each(Object.entries(TOOLS))('%s', (_name, [argv, file, rest]) => {
  const [program = ''] = argv;
  if (onPath(program, process.env) === undefined && program !== process.execPath) {
    test.skip(`DID NOT RUN: ${program} is not on the PATH`, () => {});
    return;
  }
  test('a genuine delivery passes; an old one, one of another secret or body, and no signature do not', async () => {
    const path = join(folder, file);
    writeFileSync(path, programOf(file, rest));
    const given: readonly (readonly [header: string, body: string])[] = [
      [signed(now), BODY],
      [signed(now - 400), BODY],
      [signed(now, 'whsec_other'), BODY],
      [signed(now), `${BODY} `],
      ['t=1', BODY],
    ];
    const endings = [];
    for (const [header, body] of given) {
      const run = new RunningProgram([...argv, path, SECRET, header, body], {
        env: { ...process.env, LC_ALL: 'C.UTF-8', GOFLAGS: '' },
      });
      endings.push([await run.ended, run.stderr.replace('exit status 1\n', '')]);
    }
    expect(endings).toEqual([[0, ''], ...Array(4).fill([1, ''])]);
  });
});
