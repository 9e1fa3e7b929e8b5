/** What a PromQL expression reads: so that a test can compare it with the metrics that there are. */
import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** A selector of an expression, such as `up{role="api"}`. */
interface SeriesSelector {
  readonly metric: string;
  readonly matchedLabels: readonly string[];
}

/** The labels by which an expression groups or joins, with the metrics that must have them. */
interface UsedLabels {
  readonly labels: readonly string[];
  readonly metrics: readonly string[];
}

interface ReadExpression {
  readonly selectors: readonly SeriesSelector[];
  readonly grouped: readonly UsedLabels[];
}

/** Variables of Grafana, as any value that fits where they stand. */
const withoutVariables = (expression: string) => expression.replace(/\$__(rate_)?interval|\$__range/g, '5m');

/** @throws Error with the place, for an expression that is not PromQL */
export function readExpression(expression: string): ReadExpression {
  const text = withoutVariables(expression);
  const textOf = ({ from, to }: SyntaxNode) => text.slice(from, to);
  const top = parser.parse(text).topNode;
  const all = (node: SyntaxNode, type: string): SyntaxNode[] => {
    const found: SyntaxNode[] = [];
    node.cursor().iterate(({ name, node: inner }) => {
      if (name === type) found.push(inner);
    });
    return found;
  };
  const [broken] = all(top, '⚠');
  if (broken !== undefined) throw new Error(`no PromQL at ${broken.from}: ${text}`);
  const metricOf = (selector: SyntaxNode) => textOf(selector.getChild('Identifier') as SyntaxNode);
  const selectors = all(top, 'VectorSelector').map((selector) => ({
    metric: metricOf(selector),
    matchedLabels: all(selector, 'LabelName').map(textOf),
  }));
  const grouped = all(top, 'GroupingLabels').map((list) => {
    // The nearest expression around a list says which metrics it is about.
    let around: SyntaxNode = list;
    while (!['AggregateExpr', 'BinaryExpr'].includes(around.name) && around.parent) around = around.parent;
    return { labels: all(list, 'LabelName').map(textOf), metrics: all(around, 'VectorSelector').map(metricOf) };
  });
  return { selectors, grouped };
}
