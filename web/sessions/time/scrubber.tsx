import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { type ReactElement, useMemo } from 'react';
import { Button } from '../../parts/button.tsx';
import { formatClock } from '../../parts/format.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { FilmStrip } from './film-strip.tsx';
import { Landmarks } from './landmarks.tsx';
import { marksOf } from './moments.ts';
import type { MomentView } from './use-moment.ts';
import { type Playing, type Speed, SPEEDS } from './use-play.ts';

interface ScrubberProps {
  readonly view: MomentView;
  readonly playing: Playing;
  /** Where a moment is, in words. */
  readonly describe: (index: number) => string;
}

/** One way through time: it moves the screen and the turns together. */
export function Scrubber({ view, playing: player, describe }: ScrubberProps): ReactElement {
  const { moments, held, go } = view;
  const { playing, speed, setSpeed, toggle } = player;
  const last = Math.max(0, moments.length - 1);
  const index = held ?? last;
  const moment = moments[index];
  const marks = useMemo(() => marksOf(moments), [moments]);
  return (
    <section className="scrubber card" aria-label="Time">
      <div className="scrub-line">
        <IconButton
          icon={ChevronLeft}
          label="Step back"
          disabled={index === 0}
          onClick={() => go(index - 1)}
        />
        <IconButton
          icon={playing ? Pause : Play}
          label={playing ? 'Pause' : 'Play'}
          disabled={moments.length < 2}
          onClick={toggle}
        />
        <IconButton
          icon={ChevronRight}
          label="Step forward"
          disabled={held === undefined}
          onClick={() => go(index + 1)}
        />
        <div className="track">
          <div className="marks" aria-hidden="true">
            {marks.map(({ landmark, percent }) => (
              <span
                key={`${landmark} ${percent}`}
                className={`scrub-mark is-${landmark}`}
                style={{ left: `${percent}%` }}
              />
            ))}
          </div>
          <input
            type="range"
            aria-label="Moment"
            min={0}
            max={last}
            value={index}
            disabled={moments.length < 2}
            aria-valuetext={describe(index)}
            onChange={(event) => go(Number(event.target.value))}
          />
        </div>
        <label className="hidden" htmlFor="speed">
          Speed
        </label>
        <select id="speed" value={speed} onChange={(event) => setSpeed(Number(event.target.value) as Speed)}>
          {SPEEDS.map((times) => (
            <option key={times} value={times}>
              {times}×
            </option>
          ))}
        </select>
      </div>
      <FilmStrip view={view} />
      <div className="scrub-line facts">
        <span className="quiet figures">
          {moment === undefined || moment.at === 0
            ? 'Nothing yet'
            : `${index + 1} of ${moments.length} · ${formatClock(new Date(moment.at))}`}
        </span>
        <Landmarks view={view} />
        {held === undefined ? (
          <span className="live">newest</span>
        ) : (
          <Button size="small" onClick={() => go(last)}>
            Back to newest
          </Button>
        )}
      </div>
    </section>
  );
}
