/** The kinds of panels that the dashboards are made of, in Grafana's own types. */
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import {
  BigValueColorMode,
  BigValueGraphMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  type GridPos,
  type Panel,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** All dashboards carry it, so that each one links to the others. */
const TAG = 'developer-api';
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
/** Grafana divides a page into this many columns. */
const COLUMNS = 24;
const HEIGHT = { number: 4, lines: 8, table: 8 };

/** Units of Grafana that are used here: seconds, a share from 0 to 1, a count, counts a second, bytes, a moment. */
type PanelUnit = 's' | 'percentunit' | 'short' | 'cps' | 'reqps' | 'bytes' | 'Bps' | 'dateTimeFromNow' | 'string';

/** From which value on a panel warns, and from which it is bad; with `isLow`, from which value downwards. */
interface PanelLimits {
  readonly warn: number;
  readonly bad: number;
  readonly isLow?: true;
}

interface PanelText {
  readonly title: string;
  /** What the panel tells, what is normal, and where to look next. */
  readonly about: string;
  readonly unit: PanelUnit;
  /** Queries by their legends; `{{label}}` in a legend is the value of the label. */
  readonly queries: Readonly<Record<string, string>>;
  readonly limits?: PanelLimits;
}

/** One value now. */
interface NumberPanel extends PanelText {
  readonly kind: 'number';
}

/** Lines over the time of the page. */
interface LinesPanel extends PanelText {
  readonly kind: 'lines';
  /** Whether the lines are parts of a whole. */
  readonly isStacked?: true;
}

/** One row for each series, by its labels, the greatest first. */
interface TablePanel extends PanelText {
  readonly kind: 'table';
}

type PagePanel = NumberPanel | LinesPanel | TablePanel;

/** One dashboard: a question, and the panels that answer it. */
export interface QuestionPage {
  /** Names its file and its address. */
  readonly name: string;
  readonly question: string;
  readonly about: string;
  /** One value each, in the first row. */
  readonly numbers: readonly PanelText[];
  /** Below it, from left to right: lines, unless they say that they are a table. */
  readonly others: readonly (Omit<LinesPanel, 'kind'> | TablePanel)[];
}

/** All panels of a page, in their order. */
export const panelsOf = ({ numbers, others }: QuestionPage): PagePanel[] => [
  ...numbers.map((number) => ({ ...number, kind: 'number' as const })),
  ...others.map((other) => ({ kind: 'lines' as const, ...other })),
];

function thresholds({ limits }: PanelText): ThresholdsConfigBuilder {
  const values = limits ? [limits.warn, limits.bad] : [];
  const colors = ['green', 'orange', 'red'];
  if (limits?.isLow) {
    values.reverse();
    colors.reverse();
  }
  const steps = [null, ...values].map((value, nth) => ({ value, color: colors[nth] ?? '' }));
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps);
}

function targets({ queries, kind }: PagePanel): Builder<Dataquery>[] {
  return Object.entries(queries).map(([legend, expression], at) => {
    const query = new DataqueryBuilder()
      .refId(String.fromCharCode(65 + at))
      .expr(expression)
      .legendFormat(legend);
    // A range would show the last value of a series that has ended as the present one.
    if (kind === 'number') return query.instant();
    return kind === 'table' ? query.instant().format(PromQueryFormat.Table) : query.range();
  });
}

function numberPanel({ limits }: NumberPanel): StatBuilder {
  return new StatBuilder()
    .colorMode(limits === undefined ? BigValueColorMode.None : BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.None)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
}

function linesPanel({ limits, isStacked }: LinesPanel): TimeseriesBuilder {
  const lines = new TimeseriesBuilder()
    .lineWidth(1)
    .fillOpacity(isStacked ? 40 : 8)
    .showPoints(VisibilityMode.Never)
    .axisSoftMin(0)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
  if (isStacked) lines.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
  if (limits) lines.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
  return lines;
}

function tablePanel(): TableBuilder {
  return new TableBuilder().transformations([
    { id: 'organize', options: { excludeByName: { Time: true } } },
    { id: 'sortBy', options: { sort: [{ field: 'Value', desc: true }] } },
  ]);
}

/** Numbers share the first row of a page; the others follow from left to right. */
function placesOf(panels: readonly PagePanel[]): GridPos[] {
  const numbers = panels.filter(({ kind }) => kind === 'number').length;
  const numberWidth = (nth: number) => Math.floor(COLUMNS / numbers) + (nth < COLUMNS % numbers ? 1 : 0);
  let [x, y] = [0, 0];
  let bottom = 0;
  return panels.map((panel, nth) => {
    const w = panel.kind === 'number' ? numberWidth(nth) : COLUMNS / 2;
    const h = HEIGHT[panel.kind];
    if (x + w > COLUMNS || (panel.kind !== 'number' && y === 0)) [x, y] = [0, bottom];
    const place = { x, y, w, h };
    x += w;
    bottom = Math.max(bottom, y + h);
    return place;
  });
}

/** A page as Grafana reads it. */
export function grafanaDashboard(page: QuestionPage): Dashboard {
  const dashboard = new DashboardBuilder(page.question)
    .uid(`${TAG}-${page.name}`)
    .description(page.about)
    .tags([TAG])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .link(
      new DashboardLinkBuilder('Other questions')
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .asDropdown(true)
        .keepTime(true)
        .includeVars(true),
    );
  const panels = panelsOf(page);
  const places = placesOf(panels);
  for (const [at, panel] of panels.entries()) dashboard.withPanel(built(panel, at + 1, places[at] as GridPos));
  return dashboard.build();
}

function ofKind(panel: PagePanel): StatBuilder | TimeseriesBuilder | TableBuilder {
  if (panel.kind === 'number') return numberPanel(panel);
  return panel.kind === 'lines' ? linesPanel(panel) : tablePanel();
}

function built(panel: PagePanel, id: number, place: GridPos): Builder<Panel> {
  return ofKind(panel)
    .id(id)
    .gridPos(place)
    .title(panel.title)
    .description(panel.about)
    .datasource(DATASOURCE)
    .noValue('none')
    .unit(panel.unit)
    .thresholds(thresholds(panel))
    .targets(targets(panel));
}
