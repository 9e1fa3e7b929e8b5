/** Reports how a command finds its documents, and what it reads to do so (manual: "Explain Results"). */
import type { Collection } from './catalogue.ts';
import type { Call } from './command.ts';
import { deadlineOf } from './cursors.ts';
import { fail } from './errors.ts';
import { compileFilter } from './matcher.ts';
import { document, integer, text } from './parameters.ts';
import type { Plan } from './plan-index.ts';
import { examined, type Row } from './scan.ts';
import { complete, count, planOf, type Selection, select, selectionOf } from './select.ts';
import { compilePipeline, runPipeline } from './stages.ts';
import { type Doc, isDoc } from './values.ts';

/** A command that searches documents. */
interface Look {
  readonly collection: Collection | undefined;
  readonly selection: Selection;
  readonly counting: boolean;
  /** Searches the documents as the command does. @returns how many it finds */
  run(check: () => void): number;
}

/** The command `explain`. For a write it searches the documents, but changes none. */
export function explain(call: Call): Doc {
  const inner = document('explain', call.body.explain);
  const { collection, selection, counting, run } = lookOf(call, inner);
  compileFilter(selection.filter);
  const plan = collection && planOf(collection, selection, counting);
  Object.assign(examined, { keys: 0, documents: 0 });
  // No other command runs meanwhile.
  const found = run(deadlineOf(inner).check);
  const { keys, documents } = examined;
  const stages = plan === undefined ? { stage: 'EOF' } : stagesOf(plan, documents);
  const executionStats: Doc = {
    nReturned: counting ? 0 : found,
    totalKeysExamined: keys,
    totalDocsExamined: documents,
    executionStages: counting ? { stage: 'COUNT', inputStage: stages, nCounted: found } : stages,
  };
  const winningPlan =
    plan === undefined ? stages : { ...scanStage(plan), sortedByIndex: plan.sorted, covered: plan.covered };
  return { queryPlanner: { winningPlan }, executionStats, ok: 1 };
}

/** The stage is COLLSCAN if no index serves the query. */
const scanStage = ({ index }: Plan): Doc =>
  index === undefined
    ? { stage: 'COLLSCAN' }
    : { stage: 'IXSCAN', indexName: index.name, isMultiKey: index.multikey !== 0 };

/** The stages of a plan, the outermost first. @param documents how many it has read */
function stagesOf(plan: Plan, documents: number): Doc {
  const around: [stage: string, isThere: boolean][] = [
    ['SORT_MERGE', plan.mergedBy !== undefined],
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
  const context = { catalogue: call.server.catalogue, db: call.db };
  const pipeline = name === 'aggregate' ? compilePipeline(inner.pipeline, context) : undefined;
  const selection = pipeline?.selection ?? selectionIn(name, inner);
  const counting = name === 'count' || pipeline?.counting !== undefined;
  const run = (check: () => void): number => {
    if (counting) return complete(count(collection, selection), check)[0] ?? 0;
    const rows = pipeline ? runPipeline(pipeline, collectionName, context) : select(collection, selection);
    return complete<Doc | Row>(rows, check).length;
  };
  return { collection, selection, counting, run };
}

function selectionIn(name: string, inner: Doc): Selection {
  switch (name) {
    case 'find':
      return selectionOf(inner, 'filter');
    case 'count':
    case 'distinct':
      return selectionOf(inner, 'query');
    case 'findAndModify':
      return { ...selectionOf(inner, 'query'), limit: 1 };
    case 'update':
    case 'delete': {
      const list = inner[`${name}s`];
      const [step, ...others] = Array.isArray(list) ? list : [];
      if (!isDoc(step) || others.length > 0) return fail(9, 'explain takes a single update or delete');
      const { q, multi, limit } = step;
      return {
        filter: document('q', q),
        limit: name === 'delete' ? integer('limit', limit, 0) : Number(multi !== true),
      };
    }
    default:
      return fail(115, `explain of ${name} is not supported by this database`);
  }
}
