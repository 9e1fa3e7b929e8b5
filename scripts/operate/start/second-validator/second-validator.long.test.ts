/** `npm start -- --second-validator` with a contract that is stricter than the service. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { eventually } from '../../../kit/eventually.ts';
import { RunningProgram } from '../../../kit/program.ts';
import { testFolder } from '../../../kit/testing/test-folder.ts';
import { ask } from '../../../world/ask.ts';
import { ROOT } from '../../suite/profile.ts';

const folder = testFolder();
const NAME = 'Нұрланова';
const PLANTED =
  'DISAGREEMENT about a request of listDocuments: the service took it and answered 200; express-openapi-validator finds it wrong: /query/search must NOT have more than 5 characters\n';

test('a disagreement is said within a second, in words without values, and counted at the end', async () => {
  const strict = join(folder, 'strict.yaml');
  const contract = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');
  writeFileSync(strict, contract.replace('minLength: 3, maxLength: 200', 'minLength: 3, maxLength: 5'));
  const argv = ['npm', 'start', '--silent', '--', '--port', '0', '--data', folder, '--employees', '20', '--json'];
  const env = { ...process.env, NODE_OPTIONS: '', MONGODB_URI: '', WEBHOOK_ALLOW_NETWORKS: '127.0.0.1:1' };
  const service = new RunningProgram([...argv, '--second-validator', strict], { env, leadsGroup: true });
  const ready = await service.line((line) => line.startsWith('{"event":"ready"') && JSON.parse(line));
  const search = async (url: string, text: string) => {
    const target = `${url}/developer/v1/documents?search=${encodeURIComponent(text)}`;
    return (await ask('GET', target, ready.keys.CONF_KEY_FULL_1)).status;
  };
  expect(await search(ready.base_url, NAME.slice(0, 3))).toBe(200);
  expect(await search(ready.replicas[0], NAME)).toBe(200);
  await eventually('what it says', () => service.stderr.includes('\n'), 1000);
  expect(await search(ready.base_url, NAME)).toBe(200);
  expect([await service.stop(), service.stderr]).toEqual([1, `${PLANTED}6 judgements, 2 disagreements\n`]);
});
