import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { AXIS_HEIGHT, LANE_HEIGHT } from './draw.ts';
import { type Bar, barAt, type LaneLayout } from './lanes.ts';
import { panned, type TimeView, zoomed } from './view.ts';

interface PointerOptions {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly view: TimeView;
  readonly whole: TimeView;
  readonly width: number;
  readonly layout: LaneLayout;
  readonly origin: number;
  readonly move: (view: TimeView) => void;
  readonly select: (bar: Bar | undefined) => void;
  readonly point: (bar: Bar | undefined) => void;
}

interface PointerHandlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
}

/** So far a click may slip. */
const SLIP = 4;

/** Dragging moves the view, a click selects, and the wheel zooms once the timeline has the focus, or with Control. */
export function useTimelinePointer(options: PointerOptions): PointerHandlers {
  const newest = useRef(options);
  newest.current = options;
  const drag = useRef<{ x: number; view: TimeView; moved: boolean } | undefined>(undefined);
  useEffect(() => {
    const element = options.box.current;
    if (element === null) return undefined;
    const wheel = (event: WheelEvent): void => {
      const { view, whole, width, move } = newest.current;
      const sideways =
        Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
      const focused = document.activeElement === element;
      if (sideways === 0 && !focused && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      if (sideways !== 0) return move(panned(view, sideways / width, whole));
      const x = event.clientX - element.getBoundingClientRect().left;
      const at = view.from + (x / width) * (view.to - view.from);
      move(zoomed(view, Math.exp(event.deltaY / 400), at, whole));
    };
    // React's own listener may not keep the page from scrolling.
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [options.box]);

  const barUnder = (event: PointerEvent): Bar | undefined => {
    const { box, view, width, layout, origin } = newest.current;
    const frame = box.current?.getBoundingClientRect();
    if (frame === undefined || box.current === null) return undefined;
    const scale = width / (view.to - view.from);
    const lane = Math.floor((event.clientY - frame.top - AXIS_HEIGHT + box.current.scrollTop) / LANE_HEIGHT);
    return barAt(layout, event.clientX - frame.left + (view.from - origin) * scale, lane, 6);
  };
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      drag.current = { x: event.clientX, view: newest.current.view, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      const { whole, width, move, point } = newest.current;
      if (drag.current === undefined) return point(barUnder(event));
      const by = event.clientX - drag.current.x;
      if (Math.abs(by) > SLIP) drag.current.moved = true;
      if (drag.current.moved) move(panned(drag.current.view, -by / width, whole));
    },
    onPointerUp: (event) => {
      if (drag.current?.moved === false) newest.current.select(barUnder(event));
      drag.current = undefined;
    },
    onPointerLeave: () => newest.current.point(undefined),
  };
}
