import { Maximize, Minus, Plus } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { ErrorState } from '../parts/error-state.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Loading } from '../parts/loading.tsx';
import type { Chart } from './chart/chart.ts';
import { ChartDrawing } from './drawing/chart-drawing.tsx';
import { Legend } from './drawing/legend.tsx';
import type { Marks } from './drawing/marks.ts';
import { usePanZoom } from './drawing/use-pan-zoom.ts';
import type { PlacedChart, Rectangle } from './layout/place.ts';
import { usePlaced } from './layout/use-placed.ts';

interface StatechartViewProps {
  readonly chart: Chart;
  /** Of the machine; a layout is kept under it. */
  readonly hash: string;
  readonly marks: Marks;
  /** The states whose inner states are not shown. */
  readonly folded: ReadonlySet<string>;
  readonly onChoose: (id: string) => void;
  readonly label: string;
}

/** A machine as a drawing. It moves by dragging and by keys; the outline beside it says the same as text. */
export function StatechartView(props: StatechartViewProps): ReactElement {
  const { chart, hash, marks, folded, onChoose, label } = props;
  const { placed, error } = usePlaced(chart, hash, folded);
  const { window, content, fit, zoom, show, events } = usePanZoom(
    placed,
    placed === undefined ? undefined : innermost(placed, marks.active),
  );
  const place = marks.chosen === undefined ? undefined : placed?.states.get(marks.chosen);
  useEffect(() => {
    if (place !== undefined) show(place);
  }, [place]);
  if (error !== null && placed === undefined) return <ErrorState error={error} />;
  return (
    <div className="statechart">
      <div
        ref={window}
        className="chart-window"
        tabIndex={0}
        role="group"
        aria-label={`${label}: the arrow keys move it, + and - change its size, 0 shows all`}
        aria-busy={placed === undefined}
        {...events}
      >
        {placed === undefined ? (
          <Loading label="The chart is laid out" />
        ) : (
          <svg role="img" aria-label={`${label}; the outline of its states says the same`}>
            <defs>
              <marker
                id="chart-arrow"
                viewBox="0 0 10 10"
                refX="9"
                refY="5"
                markerWidth="9"
                markerHeight="9"
                markerUnits="userSpaceOnUse"
                orient="auto-start-reverse"
              >
                <path d="M0 0 10 5 0 10z" fill="context-stroke" />
              </marker>
            </defs>
            <g ref={content}>
              <ChartDrawing chart={chart} placed={placed} marks={marks} folded={folded} onChoose={onChoose} />
            </g>
          </svg>
        )}
      </div>
      <div className="chart-tools">
        <IconButton icon={Plus} label="Larger" onClick={() => zoom(1.25)} />
        <IconButton icon={Minus} label="Smaller" onClick={() => zoom(0.8)} />
        <IconButton icon={Maximize} label="Show all" onClick={fit} />
      </div>
      <Legend />
    </div>
  );
}

/** Where the machine is: of the active states the one that is drawn last, which lies inside the others. */
const innermost = ({ states }: PlacedChart, active: ReadonlySet<string>): Rectangle | undefined =>
  [...states].findLast(([id]) => active.has(id))?.[1];
