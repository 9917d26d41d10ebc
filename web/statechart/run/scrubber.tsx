import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, CircleAlert, Pause, Play } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { IconButton } from '../../parts/icon-button.tsx';
import { useKeys } from '../../parts/keys.ts';
import { causeText, isFault, type Step } from '../chart/step.ts';
import type { Moment } from './use-moment.ts';

interface ScrubberProps {
  readonly steps: readonly Step[];
  readonly moment: Moment;
}

const PACE_MS = 800;
const GROUP = 'Statechart';

/** Goes through a run's macrosteps: by dragging, step by step, playing, and from fault to fault. */
export function Scrubber({ steps, moment }: ScrubberProps): ReactElement {
  const { number, step, isNewest, go } = moment;
  const [isPlaying, setPlaying] = useState(false);
  const count = steps.length;
  const nextFault = steps.find((each) => each.number > number && isFault(each)) ?? steps.find(isFault);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      if (number >= count) setPlaying(false);
      else go(number + 1);
    }, PACE_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, number, count]);
  const move = (to: number | undefined): void => {
    setPlaying(false);
    go(to);
  };
  const play = (): void => {
    if (!isPlaying && number >= count) go(1);
    setPlaying(!isPlaying);
  };
  const toFault = (): void => {
    if (nextFault !== undefined) move(nextFault.number);
  };
  useKeys([
    { keys: ',', label: 'One step back', group: GROUP, run: () => move(number - 1) },
    { keys: '.', label: 'One step on', group: GROUP, run: () => move(number + 1) },
    { keys: 'p', label: 'Play the steps, or stop', group: GROUP, run: play },
    { keys: 'e', label: 'To the next error', group: GROUP, run: toFault },
    { keys: 'n', label: 'To the newest step', group: GROUP, run: () => move(undefined) },
  ]);
  return (
    <div className="step-scrubber" role="group" aria-label="Steps">
      <div className="buttons">
        <IconButton icon={ChevronFirst} label="First step" disabled={number <= 1} onClick={() => move(1)} />
        <IconButton
          icon={ChevronLeft}
          label="One step back"
          disabled={number <= 1}
          onClick={() => move(number - 1)}
        />
        <IconButton
          icon={isPlaying ? Pause : Play}
          label={isPlaying ? 'Stop' : 'Play'}
          disabled={count < 2}
          onClick={play}
        />
        <IconButton
          icon={ChevronRight}
          label="One step on"
          disabled={number >= count}
          onClick={() => move(number + 1)}
        />
        <IconButton
          icon={ChevronLast}
          label="Newest step"
          disabled={isNewest}
          onClick={() => move(undefined)}
        />
        <IconButton
          icon={CircleAlert}
          label="Next error"
          disabled={nextFault === undefined}
          onClick={toFault}
        />
      </div>
      <div className="track">
        <input
          type="range"
          min={1}
          max={Math.max(1, count)}
          value={Math.max(1, number)}
          disabled={count === 0}
          aria-label="Step"
          aria-valuetext={step === undefined ? 'none' : `${number} of ${count}: ${causeText(step.cause)}`}
          onChange={(event) => move(Number(event.target.value))}
        />
        <div className="faults" aria-hidden>
          {steps.filter(isFault).map((fault) => (
            <span key={fault.number} style={{ '--at': count < 2 ? 0 : (fault.number - 1) / (count - 1) }} />
          ))}
        </div>
      </div>
      <span className="where figures">
        {number} of {count}
        {isNewest ? <span className="quiet"> · newest</span> : null}
      </span>
    </div>
  );
}
