import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import { Picture } from '../../parts/picture.tsx';
import type { Moment } from './moments.ts';
import type { MomentView } from './use-moment.ts';

const WIDTH = 92;

/** The pictures of a session, of which only those in view are loaded. One that is chosen shows its moment. */
export function FilmStrip({
  view: { moments, held, go },
}: {
  readonly view: MomentView;
}): ReactElement | null {
  const frames = useMemo(() => framesOf(moments), [moments]);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: frames.length,
    horizontal: true,
    getScrollElement: () => box.current,
    estimateSize: () => WIDTH,
    overscan: 4,
  });
  const shown = moments[held ?? moments.length - 1]?.shot?.id;
  const current = frames.findIndex(({ moment }) => moment.shot?.id === shown);
  const newest = useRef(virtual);
  newest.current = virtual;
  useEffect(() => {
    if (current !== -1) newest.current.scrollToIndex(current, { align: 'auto' });
  }, [current, frames.length]);
  if (frames.length < 2) return null;
  return (
    <div className="strip" ref={box} tabIndex={0} role="group" aria-label="Film strip">
      <ul className="plain" aria-label="Screenshots" style={{ width: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const frame = frames[index];
          if (frame?.moment.shot === undefined) return null;
          const { shot } = frame.moment;
          return (
            <li key={shot.id} style={{ transform: `translateX(${start}px)` }}>
              <button
                type="button"
                aria-label={`Screenshot ${index + 1}: ${shot.caption}`}
                aria-current={index === current}
                onClick={() => go(index === frames.length - 1 ? moments.length - 1 : frame.place)}
              >
                <Picture url={shot.url} alt="" />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The moments at which a new picture came. */
function framesOf(
  moments: readonly Moment[],
): readonly { readonly moment: Moment; readonly place: number }[] {
  return moments.flatMap((moment, place) =>
    moment.shot !== undefined && moment.shot !== moments[place - 1]?.shot ? [{ moment, place }] : [],
  );
}
