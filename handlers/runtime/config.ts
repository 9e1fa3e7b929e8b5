/** Configuration by environment variables, checked once at start; `describeConfig` is what `--help` prints. */
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const flag = z.stringbool();
const optionalPort = port.optional();

/** A 32-byte key in base64url. */
const key32 = z
  .string()
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64url');

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const schema = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('development')
    .describe('production refuses test aids'),
  HOST: z.string().default('127.0.0.1').describe('address of the public listener'),
  PORT: port.default(8080).describe('port of the public listener; 0 picks a free one'),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .describe('the database; `npm start` fills in its embedded one'),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[\w-]{1,38}$/)
    .default('developer_api')
    .describe('name of the database'),
  DATABASE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(5_000)
    .describe('longest a database operation may take'),
  ERROR_DOMAIN: z.string().min(1).max(253).default('developer-api.hr-docflow').describe('`domain` of every ErrorInfo'),
  PAGE_TOKEN_KEYS: list
    .pipe(z.array(key32).min(1))
    .optional()
    .describe(
      'comma-separated 32-byte keys in base64url, the first seals; unset: one is made and kept in the database',
    ),
  RATE_LIMIT_STORE: z
    .enum(['shared', 'memory'])
    .default('shared')
    .describe('memory only where the deployment has a single process'),
  TRUSTED_PROXIES: list.default([]).describe('addresses or networks whose X-Forwarded-For counts'),
  MAX_CONNECTIONS: z.coerce.number().int().min(1).default(10_000).describe('open connections of the public listener'),
  METRICS_PORT: optionalPort.describe('loopback port of /metrics; unset: none'),
  CONTROL_PORT: optionalPort.describe('loopback port of the control clock, for tests; refused in production'),
  DOCS_FILE: z.string().optional().describe('rendered contract that is served at /docs'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('least severe level that is logged'),
  READY_JSON: flag.default(false).describe('true prints one JSON line with the addresses when ready'),
});

/** The checked configuration. */
export type Config = z.infer<typeof schema>;

/**
 * Reads the configuration.
 * @returns it, or one sentence for each wrong variable
 */
export function readConfig(environment: NodeJS.ProcessEnv): { config: Config } | { problems: string[] } {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, environment[name] === '' ? undefined : environment[name]]),
  );
  const result = schema.safeParse(given);
  if (!result.success) {
    return {
      problems: result.error.issues.map(({ path, message }) => {
        const name = String(path[0]);
        return given[name] === undefined ? `${name} must be set: ${descriptionOf(name)}.` : `${name}: ${message}.`;
      }),
    };
  }
  if (result.data.NODE_ENV === 'production' && result.data.CONTROL_PORT !== undefined) {
    return { problems: ['CONTROL_PORT: the control clock is for tests and is refused when NODE_ENV is production.'] };
  }
  return { config: result.data };
}

function descriptionOf(name: string): string {
  return schema.shape[name as keyof typeof schema.shape]?.description ?? '';
}

/** One line for each variable, with its default. */
export function describeConfig(): string {
  return Object.keys(schema.shape)
    .map((name) => {
      const field = schema.shape[name as keyof typeof schema.shape];
      const fallback = field instanceof z.ZodDefault ? ` (default: ${String(field.parse(undefined)) || 'none'})` : '';
      return `  ${name.padEnd(20)} ${descriptionOf(name)}${fallback}`;
    })
    .join('\n');
}
