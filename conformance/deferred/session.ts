/** What deferred checks need to talk to a target outside a Jest run. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenCallbacks, openCallbacks } from '../callbacks/open.ts';
import { Coordinator } from '../engine/coordinator.ts';
import { Link } from '../engine/link.ts';
import type { RunFile } from '../engine/run-file.ts';
import { TestContext } from '../engine/test-context.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import { Redactor } from '../report/redact.ts';
import { rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';

export interface Session {
  runId: string;
  callbacks: OpenCallbacks;
  context: (ruleId: string) => TestContext;
  close: () => Promise<void>;
}

/** A row of the rule table. */
export function ruleOf(id: string): Rule {
  const found = rules.find((rule) => rule.id === id);
  if (found === undefined) throw new Error(`no row of the rule table has the id ${id}`);
  return found;
}

/** @param listening whether to receive deliveries */
export async function openSession(loaded: LoadedProfile, profilePath: string, listening: boolean): Promise<Session> {
  const { profile, secrets } = loaded;
  // Tests look for keys in the environment, where workers have them.
  Object.assign(process.env, secrets);
  const callbacks = await openCallbacks(listening ? profile.callbacks : { mode: 'none' });
  const coordinator = new Coordinator({
    maxWrites: profile.tenant.max_writes,
    failedAuthPerSecond: profile.values.failed_auth_per_s,
    onCallbacks: async (ask) => callbacks.state?.answer(ask),
  });
  const port = await coordinator.listen();
  const directory = mkdtempSync(join(tmpdir(), 'conformance-'));
  const runId = randomBytes(4).toString('hex');
  const run: RunFile = {
    profile,
    profile_path: profilePath,
    run_id: runId,
    salt: randomBytes(16).toString('hex'),
    link_port: port,
    directory,
    phases: [],
    record: '',
    callbacks: callbacks.facts,
    inputs: {},
  };
  const link = new Link(port);
  const redactor = new Redactor(run.salt, secrets, profile.values.shown_prefix_pattern);
  return {
    runId,
    callbacks,
    context: (ruleId) => new TestContext(ruleOf(ruleId), run, link, redactor),
    close: async () => {
      link.close();
      await callbacks.close();
      await coordinator.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
