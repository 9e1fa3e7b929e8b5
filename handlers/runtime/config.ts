/** Configuration by environment variables, checked once at start; `--help` prints `describeConfig`. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { allowedNetwork, parseNetwork } from './addresses.ts';
import { certificatesIn } from './certificates.ts';
import { type Environment, fileVariable, plainValue, secretValue, unknownVariables } from './environment.ts';

/** A whole number in plain decimal digits, within bounds. */
function whole(least: number, most: number) {
  const sentence = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, sentence)
    .transform(Number)
    .refine((value) => value >= least && value <= most, sentence);
}

const port = whole(0, 65_535);
const optionalPort = port.optional();
const flag = z.stringbool({ error: 'must be true or false' });

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

/** Whether a file holds PEM certificates, at least one. */
export function isCertificates(file: string): boolean {
  try {
    return certificatesIn(readFileSync(file, 'utf8')).length > 0;
  } catch {
    return false;
  }
}

/** A 32-byte key in base64url. One with all bytes equal cannot be random. */
const key32 = z
  .string()
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64url')
  .refine((bytes) => new Set(bytes).size > 1, 'must be 32 random bytes, not one byte again and again');

/** A list of different keys. */
const keys32 = z
  .array(key32)
  .min(1, 'must hold at least one key')
  .refine((keys) => new Set(keys.map(String)).size === keys.length, 'must not hold a key twice');

/** An address, a network such as 10.0.0.0/8, or one of Express' names for ranges. */
function isProxy(text: string): boolean {
  return ['loopback', 'linklocal', 'uniquelocal'].includes(text) || parseNetwork(text) !== undefined;
}

/** An http(s) URL that paths can be appended to. */
const baseUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^?#@\s]+$/.test(text) && URL.canParse(text),
    'must be an http or https URL without a query',
  )
  .transform((text) => text.replace(/\/+$/, ''));

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

/** Marks a variable that a file may hold, see {@link secretValue}. */
const secret = (description: string) => ({ description, isSecret: true });

const schema = z.object({
  NODE_ENV: oneOf(['production', 'development', 'test'])
    .default('development')
    .describe('production refuses CONTROL_PORT; nothing else depends on it'),
  ROLE: oneOf(['all', 'api', 'worker'])
    .default('all')
    .describe('what the process does: api serves requests, worker does the jobs behind them, all does both'),
  HOST: z.string().default('127.0.0.1').describe('address of the public listener'),
  PORT: port.prefault('8080').describe('port of the public listener; 0 picks a free one'),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .meta(secret('the database; `npm start` fills in its embedded one')),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[\w-]{1,38}$/, 'must be 1 to 38 letters, digits, _ or -')
    .default('developer_api')
    .describe('name of the database'),
  DATABASE_TIMEOUT_MS: whole(100, 60_000)
    .prefault('5000')
    .describe('longest a database operation may take; above 5000, other waits for it grow too'),
  STORAGE_DIR: z.string().optional().describe('folder that keeps files; or set S3_BUCKET'),
  STORAGE_PORT: port.prefault('0').describe('port, on HOST, that serves the files of STORAGE_DIR; 0 picks a free one'),
  STORAGE_URL: baseUrl
    .optional()
    .describe('URL under which clients reach STORAGE_PORT; unset: the address that it has'),
  STORAGE_TIMEOUT_MS: whole(1_000, 2_700_000)
    .prefault('600000')
    .describe('longest that an upload to STORAGE_PORT, or a download, may take'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional()
    .describe('bucket that keeps files, with versioning switched on; or set STORAGE_DIR'),
  S3_ENDPOINT: baseUrl.optional().describe('URL of an S3-compatible service; unset: that of AWS'),
  S3_PUBLIC_ENDPOINT: baseUrl
    .optional()
    .describe('URL under which clients reach that service, which forms and URLs carry; unset: S3_ENDPOINT'),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region')
    .default('us-east-1')
    .describe('region of the bucket'),
  S3_ACCESS_KEY_ID: z.string().optional().meta(secret('who reads and writes the bucket')),
  S3_SECRET_ACCESS_KEY: z.string().optional().meta(secret('the secret that goes with it')),
  S3_FORCE_PATH_STYLE: flag
    .prefault('false')
    .describe('true puts the bucket into the path of URLs, as many compatible services need it'),
  PDF_FONTS_DIR: z
    .string()
    .optional()
    .describe('folder of TTF and OTF fonts for letters that the built-in ones lack; the same for all processes'),
  OPENSSL: z
    .string()
    .optional()
    .describe(
      'program of OpenSSL 3 that judges signatures last; unset: the first openssl on the PATH, if there is one',
    ),
  PATH: z.string().default('').describe('folders in which it is looked for'),
  ERROR_DOMAIN: z
    .string()
    .regex(/^[\w.-]{1,253}$/, 'must be 1 to 253 letters, digits, dots, _ or -')
    .default('developer-api.hr-docflow')
    .describe('`domain` of every ErrorInfo'),
  PAGE_TOKEN_KEYS: list
    .pipe(keys32)
    .optional()
    .meta(
      secret('comma-separated 32-byte keys in base64url, the first seals; unset: one is made and kept in the database'),
    ),
  RATE_LIMIT_STORE: oneOf(['shared', 'memory'])
    .default('shared')
    .describe('memory only where the deployment has a single process'),
  WEBHOOK_SECRET_KEYS: list
    .pipe(keys32)
    .optional()
    .meta(
      secret(
        'comma-separated 32-byte keys in base64url that encrypt webhook secrets, the first seals, all open; unset: one is made and kept in the database',
      ),
    ),
  WEBHOOK_ATTEMPTS_PER_ENDPOINT: whole(1, 64)
    .prefault('8')
    .describe('attempts at a time that a worker makes at one endpoint'),
  WEBHOOK_ALLOW_NETWORKS: list
    .refine(
      (networks) => networks.every((network) => allowedNetwork(network) !== undefined),
      'must be addresses or networks with a port, comma-separated, such as 127.0.0.1:8443 or [fd00::/8]:8443',
    )
    .prefault('')
    .describe('addresses with ports that webhooks may go to although they are not public, for tests'),
  WEBHOOK_CA_FILE: z
    .string()
    .refine(isCertificates, 'must be a file of PEM certificates')
    .optional()
    .describe('certificate authority that receivers of webhooks may have besides the public ones, for tests'),
  TRUSTED_PROXIES: list
    .refine((proxies) => proxies.every(isProxy), 'must be addresses or networks, comma-separated, such as 10.0.0.0/8')
    .prefault('')
    .describe('addresses or networks whose X-Forwarded-For counts'),
  MAX_CONNECTIONS: whole(1, 1_000_000).prefault('10000').describe('open connections of the public listener'),
  HEADERS_TIMEOUT_MS: whole(100, 600_000).prefault('10000').describe('longest that the head of a request may take'),
  REQUEST_TIMEOUT_MS: whole(100, 600_000).prefault('30000').describe('longest that a whole request may take'),
  // The longest is above the hour that Envoy keeps its connections.
  KEEP_ALIVE_TIMEOUT_MS: whole(1_000, 7_200_000)
    .prefault('65000')
    .describe('how long an idle connection is kept: longer than the terminator in front keeps its own to the service'),
  STOP_DELAY_MS: whole(0, 60_000)
    .prefault('0')
    .describe('how long an api process that is asked to stop still takes connections, while /readyz answers 503'),
  METRICS_PORT: optionalPort.describe('port of /metrics; unset: none'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address of /metrics, which asks for no key: let nobody but the scraper reach it'),
  CONTROL_PORT: optionalPort.describe('loopback port of the control clock, for tests; refused in production'),
  CONTROL_PEERS: list
    .pipe(z.array(baseUrl))
    .prefault('')
    .describe('control clocks of all processes, comma-separated URLs: setting one sets all'),
  DOCS_FILE: z
    .string()
    .refine((file) => existsSync(file), 'there is no such file')
    .optional()
    .describe('rendered contract that is served at /docs'),
  DOCS_URL: baseUrl
    .optional()
    .describe('URL under which readers reach the docs; errors link there; unset: they link nowhere'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('least severe level that is logged'),
  REVISION: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, _, + or -')
    .optional()
    .describe('commit that this build is made from, which the image sets; unset: what git has checked out'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl
    .optional()
    .describe('URL to which spans of requests and deliveries are exported, by OTLP; unset: nowhere'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: baseUrl.optional().describe('the same, with its path, for traces alone'),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(['http/protobuf']).default('http/protobuf').describe('how they are exported'),
  OTEL_SERVICE_NAME: z.string().default('developer-api').describe('`service.name` of the spans'),
  OTEL_TRACES_SAMPLER: oneOf([
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ])
    .default('parentbased_always_on')
    .describe('which traces are exported; other variables of the SDK, OTEL_…, count as well'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0?\.\d{1,9}|0|1(\.0{1,9})?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .prefault('1')
    .describe('the share of traces, for the samplers with traceidratio'),
  OTEL_BSP_SCHEDULE_DELAY: whole(10, 60_000).prefault('5000').describe('how often spans are sent, in milliseconds'),
  OTEL_SDK_DISABLED: flag.prefault('false').describe('true exports no spans, whatever else is set'),
  READY_JSON: flag.prefault('false').describe('true prints one JSON line with the addresses when ready'),
  IGNORED_VARIABLES: list
    .prefault('')
    .describe('comma-separated variables of other programs that look like one of these, which would be an error'),
});

/** The checked configuration. */
export type Config = z.infer<typeof schema>;

const names = Object.keys(schema.shape) as (keyof Config)[];
/** The variables that a file may hold. */
export const secrets = names.filter((name) => schema.shape[name].meta()?.isSecret === true);

/** What the variables say, and sentences about those whose file cannot be read. */
function givenValues(environment: Environment) {
  const values: Partial<Record<string, string>> = {};
  const unreadable = new Map<string, string>();
  for (const name of names) {
    try {
      values[name] = secrets.includes(name) ? secretValue(environment, name) : plainValue(environment, name);
    } catch (error) {
      unreadable.set(name, `${(error as Error).message}.`);
    }
  }
  return { values, unreadable };
}

/** One sentence for each variable that the server does not have, although it looks like one of the server's. */
function unknownProblems(environment: Environment): string[] {
  const ignored = list.parse(environment.IGNORED_VARIABLES ?? '');
  return [...unknownVariables(environment, names, secrets)]
    .filter(([name]) => !ignored.includes(name))
    .map(
      ([name, nearest]) =>
        `${name}: the server has no such variable, the nearest is ${nearest}; ` +
        'if it is meant for another program, name it in IGNORED_VARIABLES.',
    );
}

/**
 * Reads the configuration.
 * @returns the configuration, or one sentence for each wrong variable
 */
export function readConfig(environment: Environment): { config: Config } | { problems: string[] } {
  const { values, unreadable } = givenValues(environment);
  const problems = [...unknownProblems(environment), ...unreadable.values()];
  const { data, error } = schema.safeParse(values);
  for (const [name, issues] of Map.groupBy(error?.issues ?? [], ({ path }) => String(path[0]))) {
    if (unreadable.has(name)) continue;
    if (values[name] === undefined) problems.push(`${name} must be set: ${descriptionOf(name)}.`);
    else problems.push(`${environment[name] ? name : fileVariable(name)}: ${issues[0]?.message}.`);
  }
  if (data === undefined || problems.length > 0) return { problems };
  const together = controlProblem(data) ?? timeoutProblem(data) ?? storageProblem(data);
  return together === undefined ? { config: data } : { problems: [together] };
}

function controlProblem({ NODE_ENV, CONTROL_PORT }: Config): string | undefined {
  if (NODE_ENV !== 'production' || CONTROL_PORT === undefined) return undefined;
  return 'CONTROL_PORT: the control clock is for tests and is refused when NODE_ENV is production.';
}

function timeoutProblem({ REQUEST_TIMEOUT_MS, HEADERS_TIMEOUT_MS }: Config): string | undefined {
  if (REQUEST_TIMEOUT_MS >= HEADERS_TIMEOUT_MS) return undefined;
  return 'REQUEST_TIMEOUT_MS: must not be less than HEADERS_TIMEOUT_MS, which is a part of it.';
}

/** Says what is wrong with the storage variables: files are kept in one place, and clients must be able to reach it. */
function storageProblem(config: Config): string | undefined {
  if ((config.STORAGE_DIR === undefined) === (config.S3_BUCKET === undefined)) {
    const how = config.STORAGE_DIR === undefined ? 'One of them must be set' : 'Only one of them may be set';
    return `STORAGE_DIR, S3_BUCKET: ${how}: files are kept in a folder or in a bucket.`;
  }
  if (config.S3_BUCKET !== undefined && !(config.S3_ACCESS_KEY_ID && config.S3_SECRET_ACCESS_KEY)) {
    return 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: must be set where S3_BUCKET is.';
  }
  if (config.STORAGE_DIR !== undefined && config.STORAGE_URL === undefined && ['0.0.0.0', '::'].includes(config.HOST)) {
    return 'STORAGE_URL must be set where HOST is every address: clients are sent to it with their files.';
  }
  return undefined;
}

function descriptionOf(name: string): string {
  return schema.shape[name as keyof typeof schema.shape]?.description ?? '';
}

/** One line for each variable, with its default. */
export function describeConfig(): string {
  return names
    .map((name) => {
      const field = schema.shape[name];
      const value = field.isOptional() ? field.safeParse(undefined).data : undefined;
      const fallback = value === undefined || String(value) === '' ? '' : ` (default: ${value})`;
      const file = secrets.includes(name) ? ` (in a file: ${fileVariable(name)})` : '';
      return `  ${name.padEnd(20)} ${descriptionOf(name)}${file}${fallback}`;
    })
    .join('\n');
}

/**
 * The name of the database, for code that needs no other variable.
 * @throws Error with a sentence if it is wrong
 */
export function databaseName(environment: Environment): string {
  const { data, error } = schema.shape.MONGODB_DATABASE.safeParse(environment.MONGODB_DATABASE || undefined);
  if (data === undefined) throw new Error(`MONGODB_DATABASE: ${error?.issues[0]?.message}`);
  return data;
}

/** The keys in a value of WEBHOOK_SECRET_KEYS, for tools; undefined if it is wrong. */
export function webhookSecretKeys(text: string): Uint8Array[] | undefined {
  return schema.shape.WEBHOOK_SECRET_KEYS.safeParse(text).data;
}
