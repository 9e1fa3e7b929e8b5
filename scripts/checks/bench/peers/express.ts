/** Bare Express 5: the same answers as `ideal.ts`, by routes and `res.json`. */
import { createServer } from 'node:http';
import express from 'express';
import { routesOf } from './express-routes.ts';
import { connectedAnswers, listen } from './serve.ts';

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(routesOf(await connectedAnswers()));
await listen(createServer(app));
