/** Reports how a command finds its documents, and what it reads to do so (manual: "Explain Results"). */
import type { Collection } from './catalogue.ts';
import type { Call } from './command.ts';
import { Deadline } from './cursors.ts';
import { fail } from './errors.ts';
import { countSelection, findSelection, hintOf } from './find-options.ts';
import { compileFilter } from './matcher.ts';
import { document, integer, text } from './parameters.ts';
import { choosePlan } from './planner.ts';
import { type Plan, parseSort } from './plans.ts';
import { examined } from './scan.ts';
import { complete, count, type Selection, select } from './select.ts';
import { compilePipeline, runPipeline } from './stages.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** A command that searches documents. */
interface Look {
  readonly collection: Collection | undefined;
  readonly namespace: string;
  readonly selection: Selection;
  readonly counting?: boolean;
  /** Searches the documents as the command does. @returns how many it finds */
  run(check: () => void): number;
}

/** The command `explain`. For a write it searches the documents, but changes none. */
export function explain(call: Call): Doc {
  const inner = document('explain', call.body.explain);
  const verbosity = call.body.verbosity ?? 'allPlansExecution';
  return explained(lookOf(call, inner), verbosity !== 'queryPlanner', inner);
}

function lookOf(call: Call, inner: Doc): Look {
  const [name = ''] = Object.keys(inner);
  const collectionName = text(name, inner[name]);
  const collection = call.server.catalogue.find(call.db, collectionName);
  const at = { collection, namespace: `${call.db}.${collectionName}` };
  const ofRows = (selection: Selection): Look => ({
    ...at,
    selection,
    run: (check) => complete(select(collection, selection), check).length,
  });
  const one = (list: Value | undefined): Doc => {
    const [first, ...others] = Array.isArray(list) ? list : [];
    return isDoc(first) && others.length === 0 ? first : fail(9, 'explain takes a single update or delete');
  };
  switch (name) {
    case 'find':
      return ofRows(findSelection(inner));
    case 'distinct':
      return ofRows({ filter: document('query', inner.query), hint: hintOf(inner.hint) });
    case 'update': {
      const { q, multi, hint } = one(inner.updates);
      return ofRows({ filter: document('q', q), limit: multi === true ? 0 : 1, hint });
    }
    case 'delete': {
      const { q, limit, hint } = one(inner.deletes);
      return ofRows({ filter: document('q', q), limit: integer('limit', limit, 0), hint });
    }
    case 'findAndModify': {
      const filter = document('query', inner.query);
      return ofRows({ filter, limit: 1, sort: parseSort(inner.sort) });
    }
    case 'count': {
      const selection = countSelection(inner);
      return { ...at, selection, counting: true, run: (check) => drained(count(collection, selection), check) };
    }
    case 'aggregate': {
      const context = { catalogue: call.server.catalogue, db: call.db };
      const pipeline = compilePipeline(inner.pipeline, context, hintOf(inner.hint));
      const run = (check: () => void): number => complete(runPipeline(pipeline, collectionName, context), check).length;
      return { ...at, selection: pipeline.selection, run };
    }
    default:
      return fail(115, `explain of ${name} is not supported by this database`);
  }
}

function drained(steps: Generator<null, number, undefined>, check: () => void): number {
  for (;;) {
    const { value, done } = steps.next();
    if (done) return value;
    check();
  }
}

function explained(look: Look, isRun: boolean, inner: Doc): Doc {
  const { collection, namespace, selection, counting = false } = look;
  const { filter, sort = [], skip = 0, limit = 0, hint } = selection;
  compileFilter(filter);
  if (collection === undefined) {
    const winningPlan = { stage: 'EOF' };
    const nothing = { executionSuccess: true, nReturned: 0, totalKeysExamined: 0, totalDocsExamined: 0 };
    const stats = { ...nothing, executionTimeMillis: 0, executionStages: winningPlan };
    return { queryPlanner: { namespace, winningPlan }, ...(isRun && { executionStats: stats }), ok: 1 };
  }
  const plan = choosePlan(collection, { filter, sort, limit: limit === 0 ? 0 : skip + limit, counting, hint });
  const queryPlanner = { namespace, parsedQuery: filter, winningPlan: winningPlan(plan), rejectedPlans: [] };
  return { queryPlanner, ...(isRun && { executionStats: measured(look, plan, inner) }), ok: 1 };
}

function winningPlan(plan: Plan): Doc {
  const winner: Doc = scanStage(plan);
  if (plan.index !== undefined) Object.assign(winner, { ranges: plan.ranges.length, merged: plan.merge });
  Object.assign(winner, { sortedByIndex: plan.sorted, covered: plan.covered });
  if (plan.fallback !== undefined) winner.fallbackIndexName = plan.fallback.plan.index?.name ?? '';
  return winner;
}

/** The stage is COLLSCAN if no index serves the query. */
function scanStage({ index, reverse }: Plan): Doc {
  const direction = reverse ? 'backward' : 'forward';
  if (index === undefined) return { stage: 'COLLSCAN', direction };
  const names = { indexName: index.name, keyPattern: index.spec.key as Doc };
  return { stage: 'IXSCAN', ...names, isMultiKey: index.multikey !== 0, direction };
}

/** Runs the command and counts what it reads. No other command runs meanwhile. */
function measured(look: Look, plan: Plan, inner: Doc): Doc {
  const { check } = new Deadline(integer('maxTimeMS', inner.maxTimeMS, 0));
  const startedAt = performance.now();
  Object.assign(examined, { keys: 0, documents: 0 });
  const found = look.run(check);
  const { keys, documents } = examined;
  let stages: Doc = { ...scanStage(plan), keysExamined: keys };
  const around = (stage: string): void => {
    stages = { stage, inputStage: stages };
  };
  if (plan.merge) around('SORT_MERGE');
  if (plan.index !== undefined && documents > 0) around('FETCH');
  if (!plan.sorted) around('SORT');
  if (look.counting) around('COUNT');
  return {
    executionSuccess: true,
    nReturned: look.counting ? 0 : found,
    executionTimeMillis: Math.round(performance.now() - startedAt),
    totalKeysExamined: keys,
    totalDocsExamined: documents,
    executionStages: look.counting ? { ...stages, nCounted: found } : stages,
  };
}
