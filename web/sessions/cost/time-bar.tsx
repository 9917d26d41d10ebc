import type { ReactElement } from 'react';
import { formatDuration } from '../../parts/format.ts';
import type { TimeSpent } from './cost.ts';

const PARTS = [
  ['model', 'Model'],
  ['tools', 'Tools'],
  ['person', 'Waiting for you'],
] as const;

/** What the time went into, as one bar and in figures. */
export function TimeBar({ time }: { readonly time: TimeSpent }): ReactElement | null {
  const sum = time.model + time.tools + time.person;
  if (sum === 0) return null;
  return (
    <div className="time-bar">
      <div className="bar" aria-hidden="true">
        {PARTS.map(([part]) => (
          <span key={part} className={part} style={{ width: `${(time[part] / sum) * 100}%` }} />
        ))}
      </div>
      <ul className="plain">
        {PARTS.map(([part, name]) => (
          <li key={part}>
            <span className={`swatch ${part}`} aria-hidden="true" /> {name}{' '}
            <span className="figures">{formatDuration(time[part])}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
