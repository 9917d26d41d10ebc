import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { Rectangle } from '../layout/place.ts';
import { fitted, showing, type View, zoomed } from './view-box.ts';

export interface PanZoom {
  readonly window: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<SVGGElement | null>;
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly show: (place: Rectangle) => void;
  readonly events: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: (event: PointerEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

const KEY_STEP = 60;
const ZOOM_STEP = 1.25;
const LEGIBLE = 0.3;

/**
 * Moves a drawing behind a window: by dragging, two fingers, the wheel with Control, and keys. The place is written to the element
 * itself, so that nothing is drawn anew while it moves.
 */
export function usePanZoom(
  drawing: { readonly width: number; readonly height: number } | undefined,
  at: Rectangle | undefined,
): PanZoom {
  const window = useRef<HTMLDivElement>(null);
  const content = useRef<SVGGElement>(null);
  const view = useRef<View>({ x: 0, y: 0, scale: 1 });
  const fingers = useRef(new Map<number, { readonly x: number; readonly y: number }>());

  const go = (next: View): void => {
    view.current = next;
    const { x, y, scale } = next;
    content.current?.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
  };
  const sizeOf = (): { readonly width: number; readonly height: number } => ({
    width: window.current?.clientWidth ?? 1,
    height: window.current?.clientHeight ?? 1,
  });
  const fit = (): void => {
    if (drawing !== undefined) go(fitted(drawing, sizeOf()));
  };
  const middle = (): { readonly x: number; readonly y: number } => {
    const { width, height } = sizeOf();
    return { x: width / 2, y: height / 2 };
  };
  const zoom = (factor: number): void => go(zoomed(view.current, factor, middle()));
  const placeOf = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const box = window.current?.getBoundingClientRect();
    return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
  };

  useEffect(() => {
    fit();
    // Of a chart that would be too small to be read whole, the place to begin with is shown.
    if (view.current.scale < LEGIBLE && at !== undefined) go(showing(view.current, at, sizeOf()));
  }, [drawing?.width, drawing?.height]);
  useEffect(() => {
    const element = window.current;
    // React listens passively, and then the browser would zoom the whole page.
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      go(zoomed(view.current, Math.exp(-event.deltaY / 300), placeOf(event)));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  });

  const onPointerMove = (event: PointerEvent): void => {
    const before = fingers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = placeOf(event);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) {
      const { x, y, scale } = view.current;
      // A click that trembles is a click.
      if (!isHeld(event) && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
      window.current?.setPointerCapture(event.pointerId);
      go({ scale, x: x + now.x - before.x, y: y + now.y - before.y });
    } else {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(now.x - other.x, now.y - other.y);
      if (was > 0) go(zoomed(view.current, is / was, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }));
    }
    fingers.current.set(event.pointerId, now);
  };
  const isHeld = ({ pointerId }: PointerEvent): boolean =>
    window.current?.hasPointerCapture(pointerId) === true;
  const onPointerUp = ({ pointerId }: PointerEvent): void => void fingers.current.delete(pointerId);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { x, y, scale } = view.current;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => go({ scale, x: x + KEY_STEP, y }),
      ArrowRight: () => go({ scale, x: x - KEY_STEP, y }),
      ArrowUp: () => go({ scale, x, y: y + KEY_STEP }),
      ArrowDown: () => go({ scale, x, y: y - KEY_STEP }),
      '+': () => zoom(ZOOM_STEP),
      '-': () => zoom(1 / ZOOM_STEP),
      '0': fit,
    };
    const move = event.ctrlKey || event.metaKey || event.altKey ? undefined : moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  return {
    window,
    content,
    fit,
    zoom,
    show: (place) => go(showing(view.current, place, sizeOf())),
    events: {
      onPointerDown: (event) => {
        if (event.button === 0) fingers.current.set(event.pointerId, placeOf(event));
      },
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onKeyDown,
    },
  };
}
