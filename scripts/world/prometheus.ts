/** A Prometheus for processes on this machine, with the configuration and the rules that operators are given. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../conformance/report/replace-file.ts';
import { eventually } from '../kit/eventually.ts';
import { freePort } from '../kit/ports.ts';
import { RunningProgram } from '../kit/program.ts';

const MONITORING = join(import.meta.dirname, '../../deploy/monitoring');
/** What Prometheus reads besides its targets. */
const FILES = ['prometheus.yml', 'rules.yml', 'alerts.yml'];

/** The addresses of the metrics of processes, as `host:port`, by the `ROLE` of the processes. */
type ScrapeTargets = Readonly<Partial<Record<'api' | 'worker' | 'all', readonly string[]>>>;

/** A Prometheus that runs, and the folder with its configuration. */
export class RunningPrometheus {
  readonly process: RunningProgram;
  readonly url: string;
  readonly #folder: string;

  private constructor(process: RunningProgram, url: string, folder: string) {
    this.process = process;
    this.url = url;
    this.#folder = folder;
  }

  /**
   * Starts Prometheus from the PATH, and waits until it answers.
   * @param folder for its configuration and its data
   * @param change changes the text of each configuration file, for a run that cannot wait as long as production
   * @throws Error with what it said, when it does not start
   */
  static async start(
    folder: string,
    targets: ScrapeTargets,
    change: (text: string) => string = (text) => text,
  ): Promise<RunningPrometheus> {
    const port = await freePort();
    mkdirSync(join(folder, 'targets'), { recursive: true });
    for (const file of FILES) {
      const text = readFileSync(join(MONITORING, file), 'utf8');
      writeFileSync(join(folder, file), change(text));
    }
    const args = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-lifecycle',
    ];
    // Ctrl-C in a terminal is for whoever started it, and ends it at its turn.
    const options = { name: 'Prometheus', keptOutput: 4_000, leadsGroup: true };
    const program = new RunningProgram(['prometheus', ...args], options);
    const made = new RunningPrometheus(program, `http://127.0.0.1:${port}`, folder);
    made.scrape(targets);
    const isReady = async () => {
      if (program.hasEnded) throw new Error(program.endReason);
      return (await fetch(`${made.url}/-/ready`).catch(() => undefined))?.ok;
    };
    await eventually('Prometheus', isReady);
    return made;
  }

  /** Has Prometheus scrape these processes, and itself, from now on. Prometheus notices within seconds. */
  scrape(targets: ScrapeTargets): void {
    const groups = Object.entries(targets).map(([role, addresses]) => ({ targets: addresses, labels: { role } }));
    this.#write('developer-api.json', groups);
    this.#write('prometheus.json', [{ targets: [new URL(this.url).host] }]);
  }

  /** The names of the alerts that fire. */
  async firing(): Promise<string[]> {
    const answer = await fetch(`${this.url}/api/v1/alerts`);
    const { data } = (await answer.json()) as AlertsAnswer;
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  }

  /** Prometheus reads a file of targets when it is replaced; one that is half written would be an error. */
  #write(file: string, groups: object): void {
    replaceFile(join(this.#folder, 'targets', file), JSON.stringify(groups));
  }
}

/** What Prometheus' HTTP API answers about alerts. */
interface AlertsAnswer {
  readonly data: {
    readonly alerts: readonly {
      readonly state: 'pending' | 'firing';
      readonly labels: { readonly alertname: string };
    }[];
  };
}
