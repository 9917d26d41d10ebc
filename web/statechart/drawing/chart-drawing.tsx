import type { ReactElement } from 'react';
import type { Chart } from '../chart/chart.ts';
import type { PlacedChart } from '../layout/place.ts';
import { innerLines } from '../layout/sizes.ts';
import { EdgeLabel, EdgeLine, pathOf } from './chart-edge.tsx';
import { StateBox, StateText } from './chart-state.tsx';
import type { Marks } from './marks.ts';

interface ChartDrawingProps {
  readonly chart: Chart;
  readonly placed: PlacedChart;
  readonly marks: Marks;
  readonly folded: ReadonlySet<string>;
  readonly onChoose: (id: string) => void;
}

/** States, lines and labels. What is said of each is a text, so that only those are drawn anew of which something else is said. */
export function ChartDrawing({ chart, placed, marks, folded, onChoose }: ChartDrawingProps): ReactElement {
  const { active, taken, visits, chosen } = marks;
  const counted = (ids: readonly string[]): string =>
    ids.map((id) => visits.transitions.get(id) ?? 0).join(' ');
  const takenOf = (ids: readonly string[]): string =>
    ids.flatMap((id, index) => (taken.has(id) ? [index] : [])).join(' ');
  const edges = placed.edges.map((edge) => {
    const ids = edge.transitions.map(({ id }) => id);
    const isNear = edge.source === chosen || edge.target === chosen;
    return { key: edge.id, edge, counts: counted(ids), taken: takenOf(ids), isNear };
  });
  const boxes = [...placed.states].flatMap(([id, box]) => {
    const state = chart.states.get(id);
    if (state === undefined) return [];
    const isFolded = folded.has(id) && state.children.length > 0;
    return [
      { id, box, state, isFolded, lines: innerLines(chart, state), visits: visits.states.get(id) ?? 0 },
    ];
  });
  return (
    <>
      {boxes.map(({ id, box, state, isFolded, lines, visits: count }) => (
        <StateBox
          key={id}
          state={state}
          box={box}
          hasLines={lines.length > 0}
          isActive={active.has(id)}
          isChosen={chosen === id}
          isFolded={isFolded}
          isRegion={state.parent !== null && chart.states.get(state.parent)?.kind === 'parallel'}
          isVisited={count > 0}
          onChoose={onChoose}
        />
      ))}
      {placed.beginnings.map(({ id, dot, line }) => (
        <g key={id} className="beginning">
          <circle cx={dot.x + dot.width / 2} cy={dot.y + dot.height / 2} r={dot.width / 2} />
          <path d={pathOf(line)} markerEnd="url(#chart-arrow)" />
        </g>
      ))}
      {edges.map(({ key, ...edge }) => (
        <EdgeLine key={key} {...edge} />
      ))}
      {boxes.map(({ id, box, state, isFolded, lines, visits: count }) => {
        const ids = lines.map(({ transition }) => transition?.id ?? '');
        return (
          <StateText
            key={id}
            state={state}
            box={box}
            lines={lines}
            isFolded={isFolded}
            visits={count}
            counts={counted(ids)}
            taken={takenOf(ids)}
          />
        );
      })}
      {edges.map(({ key, ...edge }) => (
        <EdgeLabel key={key} {...edge} />
      ))}
    </>
  );
}
