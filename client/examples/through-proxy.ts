/**
 * Reaches the service through a proxy, and trusts an authority of your own: `KEY=… URL=https://… CA_FILE=authority.pem
 * PROXY=http://… node through-proxy.ts`, with `npm install undici developer-api-client`.
 */
import { readFileSync } from 'node:fs';
import { DeveloperApi } from 'developer-api-client';
import { Agent, fetch, ProxyAgent } from 'undici';

const { KEY = '', URL: baseUrl = '', CA_FILE = '', PROXY } = process.env;
const ca = readFileSync(CA_FILE);
const dispatcher =
  PROXY === undefined ? new Agent({ connect: { ca } }) : new ProxyAgent({ uri: PROXY, requestTls: { ca } });
// Files go to storage by it, too.
const client = new DeveloperApi({ apiKey: KEY, baseUrl, fetch: (url, init) => fetch(url, { ...init, dispatcher }) });

console.log(JSON.stringify(await client.apiKey.verify()));
