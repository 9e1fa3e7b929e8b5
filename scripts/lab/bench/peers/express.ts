/** Bare Express 5: the same answers as `ideal.ts`, by routes and `res.json`. */
import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import { prefix } from '../../../../generated/contract.ts';
import { connectedAnswers, limitOf, listen, UNKNOWN_KEY } from './answers.ts';

const answers = await connectedAnswers();
const app = express();
app.disable('x-powered-by');
app.disable('etag');

function answering(path: string, work: (key: string, req: Request) => Promise<object | undefined>): void {
  app.get(prefix + path, async (req: Request, res: Response) => {
    const answer = await work(String(req.headers['x-api-key']), req);
    res.status(answer === undefined ? 401 : 200).json(answer ?? UNKNOWN_KEY);
  });
}

const queryOf = (req: Request) => req.originalUrl.split('?')[1] ?? '';
answering('/api_key/_verify', (key) => answers.verify(key));
answering('/employees', (key, req) => answers.employees(key, limitOf(queryOf(req))));
answering('/employees/:id', (key, req) => answers.employee(key, String(req.params.id)));
await listen(createServer(app));
