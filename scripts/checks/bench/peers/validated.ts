/** Express with express-openapi-validator, which checks requests and answers by our contract. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as openApiValidator from 'express-openapi-validator';
import { routesOf } from './express-routes.ts';
import { connectedAnswers, listen } from './serve.ts';

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(
  openApiValidator.middleware({
    apiSpec: join(import.meta.dirname, '../../../../openapi.yaml'),
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: true,
    validateResponses: true,
    ajvFormats: { mode: 'full' },
  }),
);
app.use(routesOf(await connectedAnswers()));
app.use((error: { status?: number; message?: string }, _req: Request, res: Response, _next: NextFunction) => {
  res.status(error.status ?? 500).json({ code: 3, message: error.message });
});
await listen(createServer(app));
