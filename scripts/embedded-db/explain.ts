/** Reports how a command finds its documents, and what it reads to do so (manual: "Explain Results"). */
import type { Collection } from './catalogue.ts';
import type { Call } from './command.ts';
import { deadlineOf } from './cursors.ts';
import { fail } from './errors.ts';
import { compileFilter } from './matcher.ts';
import { document, integer, text } from './parameters.ts';
import type { Plan } from './plan-index.ts';
import { choosePlan } from './planner.ts';
import { examined } from './scan.ts';
import { complete, count, parseSort, type Selection, select, selectionOf } from './select.ts';
import { compilePipeline, runPipeline } from './stages.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** A command that searches documents. */
interface Look {
  readonly collection: Collection | undefined;
  readonly selection: Selection;
  readonly counting?: boolean;
  /** Searches the documents as the command does. @returns how many it finds */
  run(check: () => void): number;
}

/** The command `explain`. For a write it searches the documents, but changes none. */
export function explain(call: Call): Doc {
  const inner = document('explain', call.body.explain);
  const { collection, selection, counting = false, run } = lookOf(call, inner);
  const { filter, sort = [], skip = 0, limit = 0, hint } = selection;
  compileFilter(filter);
  const query = { filter, sort, limit: limit === 0 ? 0 : skip + limit, counting, hint };
  const plan = collection && choosePlan(collection, query);
  const winningPlan = plan === undefined ? { stage: 'EOF' } : { ...scanStage(plan), ...shapeOf(plan) };
  Object.assign(examined, { keys: 0, documents: 0 });
  // No other command runs meanwhile.
  const found = run(deadlineOf(inner).check);
  const { keys, documents } = examined;
  const stages = plan === undefined ? winningPlan : stagesOf(plan, documents);
  const executionStats: Doc = {
    nReturned: counting ? 0 : found,
    totalKeysExamined: keys,
    totalDocsExamined: documents,
    executionStages: counting ? { stage: 'COUNT', inputStage: stages, nCounted: found } : stages,
  };
  return { queryPlanner: { winningPlan }, executionStats, ok: 1 };
}

/** The stage is COLLSCAN if no index serves the query. */
const scanStage = ({ index }: Plan): Doc =>
  index === undefined
    ? { stage: 'COLLSCAN' }
    : { stage: 'IXSCAN', indexName: index.name, isMultiKey: index.multikey !== 0 };

const shapeOf = ({ ranges, merge, sorted, covered }: Plan): Doc => ({
  ranges: ranges.length,
  merged: merge,
  sortedByIndex: sorted,
  covered,
});

/** The stages of a plan, the outermost first. @param documents how many it has read */
function stagesOf(plan: Plan, documents: number): Doc {
  const around: [stage: string, isThere: boolean][] = [
    ['SORT_MERGE', plan.merge],
    ['FETCH', plan.index !== undefined && documents > 0],
    ['SORT', !plan.sorted],
  ];
  return around.reduce<Doc>(
    (inputStage, [stage, isThere]) => (isThere ? { stage, inputStage } : inputStage),
    scanStage(plan),
  );
}

function lookOf(call: Call, inner: Doc): Look {
  const [name = ''] = Object.keys(inner);
  const collectionName = text(name, inner[name]);
  const collection = call.server.catalogue.find(call.db, collectionName);
  const ofRows = (selection: Selection): Look => ({
    collection,
    selection,
    run: (check) => complete(select(collection, selection), check).length,
  });
  const ofCount = (selection: Selection): Look => ({
    collection,
    selection,
    counting: true,
    run: (check) => drained(count(collection, selection), check),
  });
  const one = (list: Value | undefined): Doc => {
    const [first, ...others] = Array.isArray(list) ? list : [];
    return isDoc(first) && others.length === 0 ? first : fail(9, 'explain takes a single update or delete');
  };
  switch (name) {
    case 'find':
      return ofRows(selectionOf(inner, 'filter'));
    case 'distinct':
      return ofRows({ filter: document('query', inner.query) });
    case 'update': {
      const { q, multi } = one(inner.updates);
      return ofRows({ filter: document('q', q), limit: multi === true ? 0 : 1 });
    }
    case 'delete': {
      const { q, limit } = one(inner.deletes);
      return ofRows({ filter: document('q', q), limit: integer('limit', limit, 0) });
    }
    case 'findAndModify': {
      const filter = document('query', inner.query);
      return ofRows({ filter, limit: 1, sort: parseSort(inner.sort) });
    }
    case 'count':
      return ofCount(selectionOf(inner, 'query'));
    case 'aggregate': {
      const context = { catalogue: call.server.catalogue, db: call.db };
      const pipeline = compilePipeline(inner.pipeline, context);
      if (pipeline.counting !== undefined) return ofCount(pipeline.selection);
      const run = (check: () => void): number => complete(runPipeline(pipeline, collectionName, context), check).length;
      return { collection, selection: pipeline.selection, run };
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
