/** Documents that are made, sent, approved and signed, many at once, by clients that go on when a server is gone. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import type { Random } from '../../operate/seed/random.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { type DocumentsDeployment, planting } from './deployment.ts';
import { DocumentFlow, type FlowOptions } from './document-flow.ts';

const AT_ONCE = 8;

/** How the load runs on a server. */
export interface LoadOptions {
  /** Whether flows begin, for `forMs`; otherwise those under way are ended. */
  readonly beginning?: boolean;
  readonly forMs?: number;
  /** Whether the server no longer answers; by default, whether its process has ended. */
  readonly isGone?: () => boolean;
  /** Called at once for each step that was acknowledged or that the server left open. */
  readonly onStep?: (what: 'acknowledged' | 'gone') => void;
}

/** Many documents that are made and signed at once. New ones replace those that end. */
export class DocumentLoad {
  readonly all: DocumentFlow[] = [];
  readonly #open = new Set<DocumentFlow>();
  readonly #options: FlowOptions;
  #url = '';

  /** @param send sends a request */
  constructor(deployment: DocumentsDeployment, random: Random, send: typeof fetch = fetch) {
    this.#options = { deployment, random, send, url: () => this.#url };
  }

  #begin(): DocumentFlow {
    const flow = new DocumentFlow(`${this.all.length + 1}`, this.#options);
    this.all.push(flow);
    this.#open.add(flow);
    return flow;
  }

  /** Runs all flows at once until the server is gone, or, if no new ones are begun, until all have ended. */
  async run(server: RunningServer, options: LoadOptions = {}): Promise<void> {
    const { beginning = false, forMs = 0, isGone = () => server.process.hasEnded, onStep } = options;
    this.#url = server.url;
    const goOn = async (flow: DocumentFlow) => {
      if (await flow.goOn(onStep)) this.#open.delete(flow);
    };
    const endAt = performance.now() + forMs;
    const lane = async () => {
      while (!isGone() && performance.now() < endAt) await goOn(this.#begin());
    };
    const left = [...this.#open];
    const lanes = beginning ? Array.from({ length: Math.max(0, AT_ONCE - left.length) }, lane) : [];
    await Promise.all([...left.map(goOn), ...lanes]);
  }
}

const CALM_MS = 4_000;

/** Runs the load on a server without a fault. @returns the moments that occurred, at which a fault can be planted */
export async function momentsOf(documents: DocumentsDeployment, load: DocumentLoad): Promise<string[]> {
  const scratch = temporaryFolder('faults-seen-');
  try {
    const seenFile = join(scratch, 'moments');
    const calm = await documents.deployment.start(planting({ seenFile }));
    await load.run(calm, { beginning: true, forMs: CALM_MS });
    await calm.process.stop();
    return readFileSync(seenFile, 'utf8').trim().split('\n').sort();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
