/** The best that the machine can do with objects: `node:http`, one look-up of the key, one query, `JSON.stringify`. */

import { createServer } from 'node:http';
import { prefix } from '../../../../generated/contract.ts';
import { connectedAnswers, limitOf, listen, UNKNOWN_KEY } from './answers.ts';

const answers = await connectedAnswers();
const LIST = `${prefix}/employees`;

function answerOf(key: string, url: string): Promise<object | undefined> {
  const [path = '', query = ''] = url.split('?');
  if (path === LIST) return answers.employees(key, limitOf(query));
  if (path.startsWith(`${LIST}/`)) return answers.employee(key, path.slice(LIST.length + 1));
  return answers.verify(key);
}

await listen(
  createServer(async (req, res) => {
    const answer = await answerOf(String(req.headers['x-api-key']), req.url ?? '');
    const text = JSON.stringify(answer ?? UNKNOWN_KEY);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    res.writeHead(answer === undefined ? 401 : 200, headers).end(text);
  }),
);
