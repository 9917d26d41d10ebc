import type { ReactElement } from 'react';
import { formatCount, formatShort } from '../../parts/format.ts';
import { Lasted } from '../../parts/when.tsx';
import type { TurnHead as Head } from './rows.ts';

/** The line above a turn: its number, how long it took, and what it read and wrote. */
export function TurnHead({ head }: { readonly head: Head }): ReactElement {
  const { number, startedAt, endedAt, steps, tokens } = head;
  return (
    <div className="turn-head">
      <h2>Turn {number}</h2>
      <span className="quiet figures">
        {startedAt === undefined ? null : <Lasted from={startedAt} to={endedAt} />}
        {steps === 0 ? null : ` · ${formatCount(steps)} ${steps === 1 ? 'step' : 'steps'}`}
        {tokens === 0 ? null : ` · ${formatShort(tokens)} tokens`}
      </span>
    </div>
  );
}
