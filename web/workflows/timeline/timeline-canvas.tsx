import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { EventGroup } from '../history/groups.ts';
import { AXIS_HEIGHT, drawTimeline, LANE_HEIGHT } from './draw.ts';
import { layLanes } from './lanes.ts';
import { useCanvasSize } from './use-canvas-size.ts';
import { SWATCHES, useLooks } from './use-palette.ts';
import { useTimelinePointer } from './use-timeline-pointer.ts';
import type { TimeView } from './view.ts';

interface TimelineCanvasProps {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly groups: readonly EventGroup[];
  readonly view: TimeView;
  readonly whole: TimeView;
  readonly origin: number;
  readonly edge: number | undefined;
  readonly selected: number | undefined;
  readonly move: (view: TimeView) => void;
  readonly select: (group: EventGroup | undefined) => void;
  readonly point: (group: EventGroup | undefined) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** About the width of a letter: measuring each name would take longer than drawing it. */
const LETTER = 6.6;

/** The bars and the axis. What they tell is in the list of groups as well, so the picture is hidden from screen readers. */
export function TimelineCanvas(props: TimelineCanvasProps): ReactElement {
  const { box, groups, view, whole, origin, edge, selected, move, select, point, onKeyDown } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useCanvasSize(box);
  const looks = useLooks(box);
  const [top, setTop] = useState(0);
  const scale = width / (view.to - view.from);
  const now = edge ?? whole.to;
  const layout = useMemo(
    () => layLanes(groups, { origin, scale, now, labelWidth: ({ label }) => label.length * LETTER }),
    [groups, origin, scale, now],
  );
  const pointer = useTimelinePointer({
    box,
    view,
    whole,
    width,
    layout,
    origin,
    move,
    select: (bar) => select(bar?.group),
    point: (bar) => point(bar?.group),
  });
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context == null || canvas.current === null || looks === undefined || width === 0) return;
    const ratio = window.devicePixelRatio;
    canvas.current.width = Math.round(width * ratio);
    canvas.current.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawTimeline({ context, layout, view, origin, width, height, top, ...looks, selected, edge });
  }, [looks, layout, view, origin, width, height, top, selected, edge]);
  return (
    <div
      ref={box}
      className="timeline card"
      role="group"
      aria-label={`Timeline of ${groups.length} things that happened`}
      tabIndex={0}
      style={{ height: Math.min(520, Math.max(120, AXIS_HEIGHT + (layout.lanes + 1) * LANE_HEIGHT)) }}
      onKeyDown={onKeyDown}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      {...pointer}
    >
      <canvas ref={canvas} aria-hidden="true" style={{ width, height }} />
      <div style={{ height: Math.max(0, AXIS_HEIGHT + layout.lanes * LANE_HEIGHT - height) }} />
      <div hidden>
        {SWATCHES.map(({ name, style }) => (
          <span key={name} data-colour={name} style={style} />
        ))}
      </div>
    </div>
  );
}
