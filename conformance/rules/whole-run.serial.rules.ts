import { readLines } from '../engine/reporter.ts';
import { rule } from '../engine/rule-test.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Judgement } from '../judge/universal.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { approval, cast, sent, signing } from './shared/flow-calls.ts';

/** Makes enough requests that each of these rules applies to some, even if it runs alone. */
async function sample(t: TestContext): Promise<void> {
  const full = t.as('full', { spread: true });
  const expand = ['person', 'department', 'job_title', 'manager'];
  // These answers are not checked here; the rules about them report what is wrong.
  const listed = await full.get('/employees', { limit: 20, expand, include_total: true });
  const rows = (listed.json as { employees?: { id?: unknown }[] } | undefined)?.employees;
  await full.get(`/employees/${String(rows?.[0]?.id ?? UNKNOWN_ID)}`, { expand });
  await full.get('/employees', { limit: 5 });
  if (t.profile.keys.restricted_owner) await t.as('restricted_owner').get('/employees', { limit: 5, expand });
  for (const path of [
    '/document_types',
    '/document_categories',
    '/document_templates',
    '/documents',
    '/login_methods',
    '/api_key/_verify',
    '/nothing',
  ]) {
    await full.get(path);
  }
  await full.get('/employees', 'limit=0');
  await t.anonymous().verify();
}

/** Reads how every exchange of the run was judged by the rule of this id. */
async function everyExchange(t: TestContext): Promise<void> {
  await sample(t);
  const lines = readLines<{ during: string; judged: Record<string, Judgement> }>(t.run.directory, 'judged-');
  const found = [...lines, { during: t.rule.id, judged: Object.fromEntries(t.judged) }].map(({ during, judged }) => ({
    during,
    judgement: judged[t.rule.id],
  }));
  const occasions = found.reduce((sum, { judgement }) => sum + (judgement?.occasions ?? 0), 0);
  if (occasions === 0) t.untested('not_exercised', 'no exchange of the run was an occasion for it');
  const complaints = found.flatMap(({ during, judgement }) =>
    (judgement?.complaints ?? []).map((complaint) => ({ during, ...complaint })),
  );
  const [first] = complaints;
  if (!first) return;
  const others = [...new Set(complaints.map(({ during, text }) => `${during}: ${text}`))].slice(1, 8);
  const more = others.length > 0 ? `; also ${others.join('; ')}` : '';
  t.shownInstead = { exchange: first.exchange, curl: first.curl };
  t.fail(`${complaints.length} of ${occasions} exchanges: during ${first.during}: ${first.text}${more}`);
}

/** The same for rules about documents, with one that has a route if the profile consents to writes. */
async function everyDocument(t: TestContext): Promise<void> {
  const { full, second, restricted } = cast(t);
  if (t.profile.tenant.consent_to_writes) await sent(t, full, [approval(second), signing(restricted)]);
  await everyExchange(t);
}

rule('GEN-2', everyExchange);
rule('GEN-3', everyExchange);
rule('GEN-5', everyExchange);
rule('GEN-6', everyExchange);
rule('GEN-7', everyExchange);
rule('GEN-8', everyExchange);
rule('GEN-11', everyExchange);
rule('GEN-12', everyExchange);
rule('PRIV-2', everyDocument);
rule('PRIV-3', everyExchange);
rule('PRIV-4', everyExchange);
rule('PRIV-6', everyExchange);
rule('EMP-7', everyExchange);
rule('EMP-24', everyExchange);
rule('EMP-41', everyExchange);
rule('EMP-43', everyExchange);
rule('EMP-45', everyExchange);
rule('EMP-46', everyExchange);
rule('EMP-53', everyExchange);
rule('FLOW-13', everyDocument);
rule('RED-3', everyExchange);
rule('RED-4', everyExchange);
rule('RED-5', everyExchange);
rule('RED-8', everyExchange);
rule('ERR-1', everyExchange);
rule('ERR-2', everyExchange);
rule('ERR-3', everyExchange);
rule('ERR-4', everyExchange);
rule('ERR-13', everyExchange);
rule('ERR-15', everyExchange);
rule('ERR-16', everyExchange);
