import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Chart } from '../chart/chart.ts';
import { type ChartEdge, initialOf, layoutGraph, shownChart } from './graph.ts';
import type { Measure } from './sizes.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

/** Where everything of a chart stands. */
export interface PlacedChart {
  readonly width: number;
  readonly height: number;
  /** Outer states first, so that inner ones are drawn over them. */
  readonly states: ReadonlyMap<string, Rectangle>;
  readonly edges: readonly PlacedEdge[];
  readonly beginnings: readonly {
    readonly id: string;
    readonly dot: Rectangle;
    readonly line: readonly Point[];
  }[];
}

export interface PlacedEdge extends ChartEdge {
  readonly line: readonly Point[];
  readonly label: Rectangle;
}

/** Lays a chart out with its folded states closed. */
export async function placeChart(
  elk: Pick<ELK, 'layout'>,
  chart: Chart,
  folded: ReadonlySet<string>,
  measure: Measure,
): Promise<PlacedChart> {
  const shown = shownChart(chart, folded);
  return placedOf(await elk.layout(layoutGraph(chart, shown, folded, measure)), shown.edges);
}

function placedOf(graph: ElkNode, edges: readonly ChartEdge[]): PlacedChart {
  const nodes = new Map<string, Rectangle>();
  const lines = new Map<string, { readonly line: readonly Point[]; readonly label: Rectangle }>();
  const visit = (node: ElkNode): void => {
    nodes.set(node.id, rectangle(node));
    for (const { id, sections = [], labels = [] } of node.edges ?? []) {
      const line = sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
        startPoint,
        ...bendPoints,
        endPoint,
      ]);
      lines.set(id, { line, label: rectangle(labels[0] ?? {}) });
    }
    for (const child of node.children ?? []) visit(child);
  };
  visit(graph);
  nodes.delete(graph.id);
  const beginnings = [...nodes].flatMap(([id, dot]) => {
    const begun = [...lines].filter(([edge]) => edge.startsWith(`${id}→`) && id.endsWith(initialOf('')));
    return begun.map(([edge, { line }]) => ({ id: edge, dot, line }));
  });
  for (const id of nodes.keys()) if (id.endsWith(initialOf(''))) nodes.delete(id);
  return {
    width: graph.width ?? 0,
    height: graph.height ?? 0,
    states: nodes,
    edges: edges.flatMap((edge) => {
      const placed = lines.get(edge.id);
      return placed === undefined ? [] : [{ ...edge, ...placed }];
    }),
    beginnings,
  };
}

const rectangle = ({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rectangle>): Rectangle => ({
  x,
  y,
  width,
  height,
});
