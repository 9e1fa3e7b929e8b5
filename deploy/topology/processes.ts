/** The processes of the service in the topology. */
import { join } from 'node:path';
import type { RunningProgram } from '../../conformance/processes/program.ts';
import { logFileWriter } from '../../scripts/operate/start/log-file.ts';
import { startService } from '../../scripts/operate/start/server.ts';
import { BUCKET } from './storage.ts';

/** One process of the service: what it does, and its ports on loopback. */
export interface ProcessPlace {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly port: number;
  readonly metricsPort: number;
  readonly controlPort: number;
}

/** What all processes must be given alike, and the settings tool too. @param secrets the folder of `deploy/secrets.sh` */
export function deploymentVariables(secrets: string, storageEndpoint: string, publicEndpoint: string) {
  const file = (name: string) => join(secrets, name);
  return {
    MONGODB_URI_FILE: file('mongodb-uri'),
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: storageEndpoint,
    S3_PUBLIC_ENDPOINT: publicEndpoint,
    S3_FORCE_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID_FILE: file('s3-access-key-id'),
    S3_SECRET_ACCESS_KEY_FILE: file('s3-secret-access-key'),
  };
}

interface ProcessOptions {
  readonly secrets: string;
  /** `server.env` of `settings conformance create`, which names the deployment. */
  readonly envFile: string;
  /** For its log. */
  readonly folder: string;
}

/** Starts a process and waits until it is ready. @throws Error with what it said, when it ends instead */
export function startProcess(place: ProcessPlace, options: ProcessOptions): Promise<RunningProgram> {
  const { name, role, port, metricsPort, controlPort } = place;
  const { secrets, envFile, folder } = options;
  const env = {
    PATH: process.env.PATH,
    NODE_EXTRA_CA_CERTS: join(secrets, 'ca.pem'),
    PAGE_TOKEN_KEYS_FILE: join(secrets, 'page-token-keys'),
    WEBHOOK_SECRET_KEYS_FILE: join(secrets, 'webhook-secret-keys'),
    TRUSTED_PROXIES: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    CONTROL_PORT: String(controlPort),
    READY_JSON: 'true',
  };
  const args = ['--role', role, '--env-file', envFile];
  const onOutput = logFileWriter(join(folder, `${name}.log`));
  return startService({ args, env, onOutput }, name);
}
