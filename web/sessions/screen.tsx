import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Picture } from '../parts/picture.tsx';
import type { Screenshot } from './timeline.ts';
import { When } from '../parts/when.tsx';

/**
 * Shows the newest screenshot large and the earlier ones in a strip. Choosing an earlier one keeps it shown; choosing the last
 * one follows the newest again.
 */
export function Screen({ shots }: { readonly shots: readonly Screenshot[] }): ReactElement {
  const [held, setHeld] = useState<string>();
  const strip = useRef<HTMLUListElement>(null);
  const newest = shots.at(-1);
  const shown = shots.find(({ id }) => id === held) ?? newest;

  useEffect(() => {
    if (held === undefined && strip.current !== null) strip.current.scrollLeft = strip.current.scrollWidth;
  }, [held, shots.length]);

  if (shown === undefined || newest === undefined) {
    return (
      <section className="screen card" aria-label="Screen">
        <div className="blank">No screenshot yet</div>
      </section>
    );
  }
  return (
    <section className="screen card" aria-label="Screen">
      <figure>
        <Picture url={shown.url} alt={`The screen after: ${shown.caption}`} />
        <figcaption>
          <span className="caption" title={shown.caption}>
            {shown.caption}
          </span>
          <When at={shown.at} />
          {shown === newest ? (
            <span className="live">newest</span>
          ) : (
            <button type="button" className="small" onClick={() => setHeld(undefined)}>
              Back to newest
            </button>
          )}
        </figcaption>
      </figure>
      {shots.length > 1 ? (
        <ul className="strip" ref={strip} aria-label="Earlier screenshots">
          {shots.map((shot, index) => (
            <li key={shot.id}>
              <button
                type="button"
                aria-label={`Screenshot ${index + 1}: ${shot.caption}`}
                aria-current={shot === shown}
                onClick={() => setHeld(shot === newest ? undefined : shot.id)}
              >
                <Picture url={shot.url} alt="" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
