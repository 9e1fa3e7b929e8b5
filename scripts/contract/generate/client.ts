import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { asArray, asObject, type Contract, entriesOf, isObject, type Json } from '../read.ts';
import { heading } from './heading.ts';
import { withoutNull } from './without-null.ts';

/**
 * The files of generated/client by their path in it: types and a typed client without dependencies, made by hey-api.
 * hey-api can only write to disk, so it writes to a temporary folder, which is then removed.
 */
export async function clientFiles(contract: Contract): Promise<Map<string, string>> {
  const folder = temporaryFolder('generate-client-');
  try {
    await createClient({
      input: withTypesInAlternatives(withoutNull(structuredClone(contract))) as Record<string, unknown>,
      logs: { level: 'silent', file: false },
      output: { path: folder, entryFile: false, module: { extension: '.ts' } },
      plugins: [
        // The contract already has components named `<Operation>Response`, so the union of all successes gets another
        // name.
        { name: '@hey-api/typescript', responses: { response: '{{name}}Success' } },
        '@hey-api/sdk',
        '@hey-api/client-fetch',
      ],
    });
    const files = new Map<string, string>();
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of names.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const text = await readFile(path, 'utf8');
      const name = path.slice(folder.length + 1);
      files.set(name, heading('types and client by hey-api') + adapted(text));
    }
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * hey-api reads an alternative without a `type` as `unknown`, which makes the whole type unknown. So in `{type: string,
 * anyOf: [{format: date}, …]}` each alternative gets the `type` as well. The meaning stays the same.
 */
function withTypesInAlternatives(contract: Contract): Json {
  const change = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(change);
    if (!isObject(value)) return value;
    const copy = Object.fromEntries(entriesOf(value).map(([key, part]) => [key, change(part)]));
    if (typeof copy.type !== 'string') return copy;
    for (const key of ['anyOf', 'oneOf']) {
      if (!Array.isArray(copy[key])) continue;
      copy[key] = asArray(copy[key]).map((part) =>
        isObject(part) && part.type === undefined && part.$ref === undefined ? { type: copy.type, ...part } : part,
      );
    }
    return copy;
  };
  return { ...contract, paths: change(asObject(contract.paths)), components: change(asObject(contract.components)) };
}

/** hey-api's text without its own first line. A type that only browsers have is replaced by one that Node has, too. */
function adapted(text: string): string {
  return text
    .replace(/^\/\/ This file is auto-generated[^\n]*\n/, '')
    .replaceAll(/\bBodyInit\b/g, "NonNullable<RequestInit['body']>");
}
