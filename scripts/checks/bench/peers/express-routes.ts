/** The measured operations as Express routes, which two peers use. */
import { type Request, type Response, Router } from 'express';
import { prefix } from '../../../../generated/operations.ts';
import { type Answers, UNKNOWN_KEY, wantedOf } from './answers.ts';

export function routesOf(answers: Answers): Router {
  const routes = Router();
  const answering = (work: (key: string, req: Request) => Promise<object | undefined>) => {
    return async (req: Request, res: Response): Promise<void> => {
      const answer = await work(String(req.headers['x-api-key']), req);
      res.status(answer === undefined ? 401 : 200).json(answer ?? UNKNOWN_KEY);
    };
  };
  const queryOf = (req: Request) => req.originalUrl.split('?')[1] ?? '';
  routes.get(
    `${prefix}/api_key/_verify`,
    answering((key) => answers.verify(key)),
  );
  routes.get(
    `${prefix}/employees`,
    answering((key, req) => answers.employees(key, wantedOf(queryOf(req)))),
  );
  routes.get(
    `${prefix}/employees/:id`,
    answering((key, req) => answers.employee(key, String(req.params.id))),
  );
  return routes;
}
