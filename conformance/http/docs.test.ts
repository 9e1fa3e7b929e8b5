import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { served } from '../testing/small-target.ts';
import { servedDocs } from './docs.ts';

let answer: (response: ServerResponse) => void;
let connection: string | undefined;
const target = served((request, response) => {
  connection = request.headers.connection;
  answer(response);
});

const page = (title: string, status = 200, type = 'text/html; charset=utf-8') => {
  answer = (response) => response.writeHead(status, { 'Content-Type': type }).end(`<head><title>${title}</title>`);
};

test('the docs are at /docs of the target, where a page has their title', async () => {
  page('Developer API v1, release 9.9.9');
  expect(await servedDocs(target.baseUrl)).toBe(`${target.baseUrl}/docs`);
  // A proxy that plants faults decides by the first request of a connection whether it handles it.
  expect(connection).toBe('close');
});

test.each([
  ['another page', () => page('Sign in')],
  ['a page that is not there', () => page('Developer API', 404)],
  ['something else than a page', () => page('Developer API', 200, 'application/json')],
  ['a redirect', () => page('Developer API', 302)],
  [
    'a connection that ends',
    () => {
      answer = (response) => response.destroy();
    },
  ],
])('%s is none', async (_what, serve) => {
  serve();
  expect(await servedDocs(target.baseUrl)).toBeUndefined();
});
