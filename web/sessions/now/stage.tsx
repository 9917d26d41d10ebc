import { type ReactElement, useState } from 'react';
import { When } from '../../parts/when.tsx';
import { MarkedScreen } from '../tools/marked-screen.tsx';
import { shownUse } from '../tools/shown-use.ts';
import { describeUse } from '../turns/describe-use.ts';
import type { Row, ToolRow } from '../turns/rows.ts';
import type { Moment } from '../time/moments.ts';

interface StageProps {
  readonly moment: Moment | undefined;
  /** The row of the moment that is held; undefined where the newest is shown. */
  readonly row: Row | undefined;
  /** A click that waits for a person. */
  readonly pending: ToolRow | undefined;
}

/** The screen at one moment: with the click that happens then, or the one that is asked for. */
export function Stage({ moment, row, pending }: StageProps): ReactElement {
  const [before, setBefore] = useState(false);
  const acting = row?.kind === 'tool' ? row : row === undefined ? pending : undefined;
  const shown = acting === undefined ? undefined : shownUse(acting.use);
  const mark = shown?.kind === 'pointer' ? shown : undefined;
  const hasBoth = row?.kind === 'tool' && row.before !== undefined && row.after !== undefined;
  const shot = hasBoth && before ? row.before : moment?.shot;
  if (shot === undefined) {
    return (
      <section className="screen card" aria-label="Screen">
        <div className="blank">No screenshot yet</div>
      </section>
    );
  }
  const caption =
    row === undefined && pending !== undefined && mark !== undefined
      ? `asks: ${describeUse(pending.use)}`
      : hasBoth && before
        ? `before: ${describeUse(row.use)}`
        : shot.caption;
  return (
    <section className="screen card" aria-label="Screen">
      <figure>
        <MarkedScreen
          key={shot.url}
          url={shot.url}
          alt={`The screen after: ${shot.caption}`}
          mark={mark}
          pending={row === undefined}
        />
        <figcaption>
          <span className="caption" title={caption}>
            {caption}
          </span>
          {hasBoth ? (
            <button
              type="button"
              className="button small"
              aria-pressed={before}
              onClick={() => setBefore(!before)}
            >
              Before it
            </button>
          ) : null}
          <When as="clock" at={shot.at} />
        </figcaption>
      </figure>
    </section>
  );
}
