import { memo, type ReactElement } from 'react';
import { LINE, transitionText } from '../layout/sizes.ts';
import type { PlacedEdge, Point } from '../layout/place.ts';
import { Count } from './chart-state.tsx';
import { lineWidth } from './marks.ts';

interface EdgeLineProps {
  readonly edge: PlacedEdge;
  /** How often each of its transitions was taken, with spaces between. */
  readonly counts: string;
  /** The places of those that the step has taken, with spaces between. */
  readonly taken: string;
  /** Whether its source is chosen, or its target. */
  readonly isNear: boolean;
}

/** A line from state to state with an arrow. */
export const EdgeLine = memo(function EdgeLine({ edge, counts, taken, isNear }: EdgeLineProps): ReactElement {
  const sum = counts.split(' ').reduce((total, count) => total + Number(count), 0);
  const classes = ['edge', sum > 0 && 'visited', taken !== '' && 'taken', isNear && 'near'];
  const path = pathOf(edge.line);
  return (
    <g className={classes.filter(Boolean).join(' ')} data-edge={edge.id}>
      <path d={path} strokeWidth={lineWidth(sum)} markerEnd="url(#chart-arrow)" />
      {taken === '' ? null : <path className="flow" d={path} />}
    </g>
  );
});

/** What stands on a line: its transitions, one below the other. */
export const EdgeLabel = memo(function EdgeLabel({
  edge,
  counts,
  taken,
  isNear,
}: EdgeLineProps): ReactElement {
  const { x, y, width, height } = edge.label;
  const all = counts.split(' ');
  const now = taken.split(' ');
  return (
    <g className={isNear ? 'edge-label near' : 'edge-label'} transform={`translate(${x} ${y})`}>
      <rect width={width} height={height} rx={8} />
      {edge.transitions.map((transition, index) => (
        <g
          key={transition.id}
          className={[transition.kind, now.includes(String(index)) && 'taken'].filter(Boolean).join(' ')}
        >
          <title>{titleOf(transition)}</title>
          <text x={8} y={index * LINE + 14}>
            {transitionText(transition)}
          </text>
          <Count count={Number(all[index])} right={width - 7} y={index * LINE + 14} />
        </g>
      ))}
    </g>
  );
});

const titleOf = ({ event, label, description, guard, actions }: PlacedEdge['transitions'][number]): string =>
  [
    event || label,
    description,
    guard === null ? null : `if ${guard}`,
    ...actions.map((action) => `does ${action}`),
  ]
    .filter((text) => text !== null)
    .join('\n');

/** Straight pieces with round corners. */
export function pathOf(line: readonly Point[]): string {
  const [first, ...rest] = line;
  if (first === undefined) return '';
  const pieces = rest.map((point, index) => {
    const next = rest[index + 1];
    if (next === undefined) return `L${point.x} ${point.y}`;
    const from = towards(point, line[index] ?? first);
    const to = towards(point, next);
    return `L${from.x} ${from.y}Q${point.x} ${point.y} ${to.x} ${to.y}`;
  });
  return `M${first.x} ${first.y}${pieces.join('')}`;
}

const CORNER = 6;

function towards(from: Point, to: Point): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const share = distance === 0 ? 0 : Math.min(CORNER, distance / 2) / distance;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
