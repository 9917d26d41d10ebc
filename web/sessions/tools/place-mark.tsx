import type { ReactElement } from 'react';
import type { Place } from './shown-use.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface PlaceMarkProps {
  /** Of the picture in whose pixels the places are. */
  readonly size: Size;
  readonly to: Place;
  /** Where a drag begins. */
  readonly from?: Place | undefined;
  /** It is about to happen, and waits for a person. */
  readonly pending?: boolean;
}

/** Marks a place on the picture below it. It scales as `object-fit: contain` does, so the place is right at any size. */
export function PlaceMark({ size, to, from, pending = false }: PlaceMarkProps): ReactElement {
  const { width, height } = size;
  const radius = width / 48;
  return (
    <svg
      className={pending ? 'place-mark pending' : 'place-mark'}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      data-x={to.x}
      data-y={to.y}
    >
      {from === undefined ? null : (
        <>
          <line className="halo" x1={from.x} y1={from.y} x2={to.x} y2={to.y} strokeWidth={radius / 2} />
          <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} strokeWidth={radius / 4} />
        </>
      )}
      <circle className="halo" cx={to.x} cy={to.y} r={radius} strokeWidth={radius / 1.6} />
      <circle cx={to.x} cy={to.y} r={radius} strokeWidth={radius / 3.4} />
      <circle className="dot" cx={to.x} cy={to.y} r={radius / 5} />
    </svg>
  );
}
