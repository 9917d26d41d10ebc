import type { ReactElement } from 'react';
import { useNow } from './clock.ts';
import { formatClock, formatDuration, formatExact, formatRelative } from './format.ts';

interface WhenProps {
  /** In ISO 8601. */
  readonly at: string;
  /**
   * `relative` (default): how long ago; `clock`: the time of day, where the context shows the day; `exact`: date and time. The
   * exact time is always there as a tooltip.
   */
  readonly as?: 'relative' | 'clock' | 'exact';
}

/** A moment. */
export function When({ at, as = 'relative' }: WhenProps): ReactElement {
  if (as === 'relative') return <Relative at={at} />;
  const date = new Date(at);
  const exact = formatExact(date);
  return (
    <time dateTime={at} title={exact} className="figures">
      {as === 'exact' ? exact : formatClock(date)}
    </time>
  );
}

function Relative({ at }: { readonly at: string }): ReactElement {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatExact(date)} className="figures">
      {formatRelative(date, Math.max(now, Math.min(date.getTime(), Date.now())))}
    </time>
  );
}

interface LastedProps {
  readonly from: string;
  /** Null while it goes on; it counts up then. */
  readonly to: string | null;
}

/** How long something took, or takes so far. */
export function Lasted({ from, to }: LastedProps): ReactElement {
  return to === null ? (
    <Lasting from={from} />
  ) : (
    <span className="figures">{between(from, Date.parse(to))}</span>
  );
}

function Lasting({ from }: { readonly from: string }): ReactElement {
  return <span className="figures">{between(from, Math.max(useNow(), Date.parse(from)))}</span>;
}

function between(from: string, to: number): string {
  return formatDuration(to - Date.parse(from));
}
