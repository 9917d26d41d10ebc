import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Chart, ChartState, ChartTransition } from '../chart/chart.ts';
import { type Box, boxOf, edgeLabelOf, HEADER, type Measure } from './sizes.ts';

/** Several transitions between the same two states are one line with a label for each. */
export interface ChartEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly transitions: readonly ChartTransition[];
}

/** What is drawn of a chart while some of its states are folded. */
export interface ShownChart {
  readonly states: readonly ChartState[];
  readonly edges: readonly ChartEdge[];
}

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.spacing.nodeNode': '32',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
  // From where a machine begins downwards. With an order of the model ELK fails on nested graphs.
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
};

/** Of a folded state the states below it are left out, and the transitions that lead to them lead to it. */
export function shownChart(chart: Chart, folded: ReadonlySet<string>): ShownChart {
  const standsFor = new Map<string, string>();
  const states: ChartState[] = [];
  for (const state of chart.states.values()) {
    const above = state.parent === null ? undefined : standsFor.get(state.parent);
    const isHidden = state.parent !== null && (above !== state.parent || folded.has(state.parent));
    standsFor.set(state.id, isHidden ? (above ?? state.id) : state.id);
    if (!isHidden) states.push(state);
  }
  const edges = new Map<string, { source: string; target: string; transitions: ChartTransition[] }>();
  for (const transition of chart.transitions) {
    if (transition.isInner) continue;
    const source = standsFor.get(transition.source) ?? transition.source;
    for (const id of transition.targets) {
      const target = standsFor.get(id) ?? id;
      if (source === target || !chart.states.has(target)) continue;
      const key = `${source}→${target}`;
      const edge = edges.get(key) ?? { source, target, transitions: [] };
      edge.transitions.push(transition);
      edges.set(key, edge);
    }
  }
  return { states, edges: [...edges].map(([id, edge]) => ({ id, ...edge })) };
}

/** The graph that ELK lays out. */
export function layoutGraph(
  chart: Chart,
  { states, edges }: ShownChart,
  folded: ReadonlySet<string>,
  measure: Measure,
): ElkNode {
  const shown = new Set(states.map(({ id }) => id));
  const nodeOf = (id: string): ElkNode[] => {
    const state = chart.states.get(id);
    if (state === undefined || !shown.has(id)) return [];
    const box = boxOf(chart, state, measure);
    const below = folded.has(id) ? [] : state.children.flatMap(nodeOf);
    return [below.length === 0 ? leaf(id, box) : compound(state, box, below)];
  };
  return {
    id: '(chart)',
    layoutOptions: OPTIONS,
    children: nodeOf(chart.root),
    edges: edges.map((edge) => edgeOf(edge, measure)),
  };
}

const leaf = (id: string, { width, height }: Box): ElkNode => ({ id, width, height });

function compound({ id, initial }: ChartState, { width, height }: Box, below: ElkNode[]): ElkNode {
  const start = initialOf(id);
  const beginnings = initial
    .filter((target) => below.some((node) => node.id === target))
    .map((target) => ({ id: `${start}→${target}`, sources: [start], targets: [target] }));
  return {
    id,
    // ELK hands options down to no inner level.
    layoutOptions: {
      ...OPTIONS,
      'elk.padding': `[top=${Math.max(height, HEADER) + 14},left=18,bottom=18,right=18]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${height})`,
    },
    children: beginnings.length === 0 ? below : [{ id: start, width: 10, height: 10 }, ...below],
    edges: beginnings,
  };
}

/** The id of the dot at which a state begins. */
export const initialOf = (id: string): string => `${id}#initial`;

function edgeOf({ id, source, target, transitions }: ChartEdge, measure: Measure): ElkExtendedEdge {
  const { width, height } = edgeLabelOf(transitions, measure);
  return {
    id,
    sources: [source],
    targets: [target],
    labels: [
      {
        id: `${id}#label`,
        text: id,
        width,
        height,
        layoutOptions: { 'elk.edgeLabels.inline': 'true', 'elk.edgeLabels.placement': 'CENTER' },
      },
    ],
  };
}
