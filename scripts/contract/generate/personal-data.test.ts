import { expect, test } from '@jest/globals';
import { masked } from '../../../handlers/runtime/log.ts';
import { entriesOf, readContract, schemasIn } from '../read.ts';

const CONTRACT = new URL('../../../openapi.yaml', import.meta.url).pathname;

test('the log masks every field that is marked in the contract, except these, whose names are too common', async () => {
  const contract = await readContract(CONTRACT);
  const seen: string[] = [];
  for (const [component, schema] of entriesOf(contract.components.schemas)) {
    for (const [node, place] of schemasIn(schema)) {
      for (const [name, property] of entriesOf(node.properties)) {
        const { 'x-personal-data': personal, 'x-secret': secret } = property;
        if (personal === undefined && secret !== true) continue;
        const shown = Object(masked({ [name]: 'x' }))[name];
        if (shown === 'x') seen.push(`${[component, ...place].join('/')}: ${name}`);
      }
    }
  }
  expect(seen.sort()).toEqual([
    'DownloadDocumentResponse: url',
    'KedoPersonRecord: number',
    'PresignedUpload: fields',
    'PresignedUpload: url',
    'Signature: value',
  ]);
});
