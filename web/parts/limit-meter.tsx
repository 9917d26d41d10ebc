import type { ReactElement } from 'react';

interface LimitMeterProps {
  readonly name: string;
  readonly spent: number;
  readonly most: number;
  /** Both figures in words, e.g. `12 of 50`. */
  readonly words: string;
}

/** How near something is to its limit. */
export function LimitMeter({ name, spent, most, words }: LimitMeterProps): ReactElement {
  return (
    <div className="limit">
      <span>{name}</span>
      <span className="figures">{words}</span>
      <meter aria-label={name} min={0} max={most} high={most * 0.8} optimum={0} value={Math.min(spent, most)}>
        {words}
      </meter>
    </div>
  );
}
