/** The service of `npm start`, for steps that need a running one, on the engine that `TEST_MONGODB` names. */
import { basename, join } from 'node:path';
import { nodeScript } from '../../kit/program.ts';
import { background } from '../../kit/run-program.ts';
import { type FoundTool, needed } from '../../kit/tools.ts';
import { Database } from '../../world/database.ts';
import { engineNamed, type StartedEngine, startEngine } from '../../world/engine.ts';
import { joined, judged, type Outcome, type Say } from './run.ts';

/** A place for the data of services; each service uses its own name there. */
export interface ServiceDatabase {
  /** Starts the database unless it is running. @returns the variables that name it @throws Error if it is not available */
  env(service: string): Promise<Readonly<Record<string, string>>>;
  /** Ends what was started here, and drops databases on a deployment that was not started here. */
  stop(): Promise<void>;
}

/** Databases of one deployment, each with the name of its service. @param start is called when the first of them asks */
function databases(start: () => Promise<Pick<StartedEngine, 'uri'> & Partial<StartedEngine>>): ServiceDatabase {
  let starting: ReturnType<typeof start> | undefined;
  const used: Database[] = [];
  return {
    async env(service) {
      starting ??= start();
      const { uri: shared } = await starting;
      const database = new Database({ own: { name: 'embedded' }, shared }, `test_${process.pid}_${service}`);
      used.push(database);
      return { MONGODB_URI: await database.start(), MONGODB_DATABASE: database.name };
    },
    async stop() {
      const running = await starting?.catch(() => undefined);
      for (const database of used) await database.remove();
      await running?.process?.stop();
    },
  };
}

/** A MongoDB for this run only. */
export const mongodDatabase = (
  name: 'mongod' | 'standalone',
  find: () => Promise<FoundTool>,
  folder: string,
): ServiceDatabase => databases(async () => startEngine({ name, program: needed(await find()) }, folder));

/** @param wanted the value of `TEST_MONGODB`. @throws Error for a value that is not allowed */
export function serviceDatabase(wanted: string, find: () => Promise<FoundTool>, scratch: string): ServiceDatabase {
  const named = engineNamed(wanted);
  if (typeof named === 'object') return databases(async () => named);
  if (named !== 'embedded') return mongodDatabase(named, find, join(scratch, named));
  // Each service starts it by itself, even if the caller's environment names a deployment.
  return { env: async () => ({ MONGODB_URI: '' }), stop: async () => {} };
}

/** How the service of a step is started. */
interface ServiceStart {
  /** Its data directory, in which the profile is. */
  readonly data: string;
  readonly database: ServiceDatabase;
  /** Further options of `npm start`. */
  readonly options?: readonly string[];
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether express-openapi-validator judges the same requests and answers, and has to agree. */
  readonly hasSecondValidator?: boolean;
}

/**
 * Runs the work while a service runs, and checks that the service ends as it should. @param say gets its log
 */
export async function withService(
  root: string,
  { data, database, options = [], env: more = {}, hasSecondValidator = false }: ServiceStart,
  say: Say,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const start = nodeScript('scripts/operate/start/main.ts', '--port', '0', '--data', data, '--json', ...options);
  if (hasSecondValidator) start.push('--second-validator');
  const env = { ...more, ...(await database.env(basename(data))) };
  const service = await background(start, { cwd: root, env, hear: say });
  let outcome: Outcome;
  try {
    outcome = await work();
  } catch (error) {
    await service.stop();
    throw error;
  }
  const code = await service.stop();
  const ending = judged(code === 0, `the service ended with ${code} instead of 0\n${service.stderr}`);
  const isJudged = !hasSecondValidator || /^[1-9]\d* judgements/m.test(service.stderr);
  return joined([outcome, ending, judged(isJudged, 'the second validator has judged nothing')]);
}
