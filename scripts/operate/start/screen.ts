/** What `npm start` shows when everything runs. */
import path from 'node:path';
import { type Engine, lackOf } from '../../../handlers/data/engine.ts';
import { aligned } from '../../kit/command-line.ts';
import type { RunningServer } from '../../world/server.ts';
import { grouped } from '../seed/progress.ts';
import type { Secrets } from '../suite/key-ring.ts';
import { receiverEnv, type WebhookReceiver } from '../suite/receiver.ts';

interface Ready extends Pick<RunningServer, 'url' | 'storageUrl' | 'controlUrl' | 'metricsUrl'> {
  readonly replicas: readonly string[];
  readonly docs: boolean;
  readonly database: 'embedded' | 'MONGODB_URI';
  readonly engine: Engine;
  readonly dataDir: string;
  /** Null in production. */
  readonly webhookReceiver: WebhookReceiver | null;
  /** Null if the database holds tenants other than the demo ones. */
  readonly secrets: Secrets | null;
  readonly employees: number;
  readonly seconds: number;
}

const KEYS = [
  ['CONF_KEY_FULL_1', 'sees everybody, all scopes'],
  ['CONF_KEY_EMPLOYEES_READ', 'only employees:read'],
  ['CONF_KEY_RESTRICTED_OWNER', 'one department; IIN, phone and work e-mail hidden'],
  ['CONF_KEY_SECOND_OWNER', 'direct reports; birth dates hidden'],
] as const;

export function curlLine(url: string, key: string): string {
  return `curl -s -H 'X-API-Key: ${key}' '${url}/developer/v1/employees?limit=2&expand=person&expand=department'`;
}

const rows = (pairs: readonly (readonly [string, string])[]) => aligned(pairs).map((line) => `    ${line}`);

export function readyText(ready: Ready): string {
  const { url, secrets, dataDir } = ready;
  const addresses: [string, string][] = [['Base URL', url]];
  for (const replica of ready.replicas) addresses.push(['Another process', replica]);
  if (ready.docs) addresses.push(['Docs', `${url}/docs`]);
  addresses.push(['Contract', `${url}/openapi.yaml`], ['… for generators', `${url}/openapi.json`]);
  addresses.push(['… for Postman, Bruno', `${url}/collection.json`]);
  if (ready.metricsUrl) addresses.push(['Metrics', `${ready.metricsUrl}/metrics`]);
  if (ready.controlUrl) addresses.push(['Control clock', `${ready.controlUrl}/clock`]);
  if (ready.webhookReceiver) {
    const { host, port, certificate, others } = ready.webhookReceiver;
    addresses.push(['Webhooks', `may go to https://${host}:${port} too; certificate in ${path.dirname(certificate)}`]);
    if (others) addresses.push(['…', `may go to ${others} too (WEBHOOK_ALLOW_NETWORKS)`]);
  }
  const { topology, version } = ready.engine;
  addresses.push([
    'Database',
    ready.database === 'embedded' ? `embedded, in ${dataDir}` : `MONGODB_URI, a ${topology} of MongoDB ${version}`,
  ]);
  const lines = ['', `  The service is ready (${ready.seconds.toFixed(1)} s).`, '', ...rows(addresses), ''];
  const lack = lackOf(ready.engine);
  if (lack !== undefined) lines.push(`  ${lack}`, '');
  if (secrets === null) {
    lines.push(
      '  The database holds tenants of yours, so no demo tenants were made.',
      '    npm run settings -- keys create --help',
      '',
    );
  } else {
    const keys = KEYS.flatMap(([name, what]): [string, string][] => (secrets[name] ? [[secrets[name], what]] : []));
    lines.push(`  Keys of the tenant demo (${grouped(ready.employees)} employees)`, '', ...rows(keys), '');
    lines.push('  Try it', '', `    ${curlLine(url, secrets.CONF_KEY_FULL_1 ?? '')}`, '');
    lines.push('  Check it', '', `    npm run conformance -- --profile ${dataDir}/conformance.yaml`, '');
    lines.push('  Change it', '', '    npm run settings -- --tenant demo users list', '');
  }
  lines.push('  Ctrl-C stops it; the data stay. Its log is in the file server.log beside them.', '');
  return `${lines.join('\n')}\n`;
}

export function readyJson(ready: Ready, files: { profile: string; env: string } | null): object {
  return {
    event: 'ready',
    base_url: ready.url,
    replicas: ready.replicas,
    docs_url: ready.docs ? `${ready.url}/docs` : null,
    storage_url: ready.storageUrl || null,
    control_url: ready.controlUrl || null,
    metrics_url: ready.metricsUrl || null,
    database: ready.database,
    engine: { topology: ready.engine.topology, version: ready.engine.version },
    webhooks: ready.webhookReceiver && receiverEnv(ready.webhookReceiver),
    conformance_profile: files?.profile ?? null,
    conformance_env: files?.env ?? null,
    keys: ready.secrets,
    seconds: Number(ready.seconds.toFixed(3)),
  };
}
