import type { ReactElement } from 'react';
import type { Session } from '../../client/api.ts';
import { formatCount } from '../../parts/format.ts';
import { LimitMeter } from '../../parts/limit-meter.tsx';

interface LimitsProps {
  readonly limits: Session['limits'];
  readonly tokens: number;
  /** Model replies since the newest message. */
  readonly turns: number;
}

/** How near a session is to its limits. */
export function Limits({ limits, tokens, turns }: LimitsProps): ReactElement | null {
  const { max_tokens, max_turns } = limits;
  if (max_tokens === null && max_turns === null) return <p className="quiet">This session has no limits.</p>;
  return (
    <div className="limits">
      {max_tokens === null ? null : <Limit name="Tokens in all" spent={tokens} most={max_tokens} />}
      {max_turns === null ? null : <Limit name="Replies to this message" spent={turns} most={max_turns} />}
    </div>
  );
}

interface LimitProps {
  readonly name: string;
  readonly spent: number;
  readonly most: number;
}

function Limit({ name, spent, most }: LimitProps): ReactElement {
  const words = `${formatCount(spent)} of ${formatCount(most)}`;
  return <LimitMeter name={name} spent={spent} most={most} words={words} />;
}
