/** Prometheus, with the configuration and the alerts that operators use, where it is on the PATH. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../conformance/processes/ports.ts';
import { RunningProgram } from '../../conformance/processes/program.ts';
import { eventually } from '../../scripts/testbed/eventually.ts';
import { onPath } from '../../scripts/testbed/go-tool.ts';
import { DEPLOY } from './filled.ts';

const FILES = ['prometheus.yml', 'rules.yml', 'alerts.yml'];

/** The metrics of processes of one role, as `host:port`. */
export interface ScrapeTargets {
  readonly labels: { readonly role: 'api' | 'worker' };
  readonly targets: readonly string[];
}

export interface Prometheus {
  readonly url: string;
  readonly running: RunningProgram;
}

/** Starts it, and waits until it answers. @returns undefined where it is not on the PATH */
export async function startPrometheus(
  folder: string,
  targets: readonly ScrapeTargets[],
): Promise<Prometheus | undefined> {
  const program = onPath('prometheus', process.env);
  if (program === undefined) return undefined;
  mkdirSync(join(folder, 'targets'), { recursive: true });
  for (const file of FILES) copyFileSync(join(DEPLOY, 'monitoring', file), join(folder, file));
  writeFileSync(join(folder, 'targets/developer-api.json'), JSON.stringify(targets));
  const address = `127.0.0.1:${await freePort()}`;
  const argv = [
    program,
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ];
  const running = new RunningProgram(argv, { name: 'Prometheus', keptOutput: 4_000, leadsGroup: true });
  await eventually('Prometheus', async () => {
    if (running.hasEnded) throw new Error(running.endReason);
    return (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok || undefined;
  });
  return { url: `http://${address}`, running };
}

/** The names of the alerts that fire. */
export async function firingAlerts({ url }: Prometheus): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/alerts`);
  const { data } = (await answer.json()) as {
    data: { alerts: readonly { state: string; labels: Readonly<Record<string, string>> }[] };
  };
  return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname ?? '');
}
