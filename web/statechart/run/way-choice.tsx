import type { ReactElement } from 'react';
import { FilterChoice } from '../../parts/filters.tsx';
import type { Way } from './send-event.ts';

interface WayChoiceProps {
  readonly ways: readonly Way[];
  readonly way: Way;
  readonly onChoose: (way: Way) => void;
}

const LABELS = { update: 'By update', signal: 'By signal' } as const;

/** How events are sent, where there is a choice, and what is to be expected of it. */
export function WayChoice({ ways, way, onChoose }: WayChoiceProps): ReactElement {
  const isOnly = ways.length === 1;
  return (
    <div className="way-choice">
      {isOnly ? null : (
        <FilterChoice
          label="How events are sent"
          value={way}
          options={ways.map((value) => ({ value, label: LABELS[value] }))}
          onChange={onChoose}
        />
      )}
      {way === 'signal' ? (
        <p className="quiet small">
          {isOnly ? 'The worker of this run takes events by signal alone. ' : ''}A signal gives no answer:
          whether the machine took the event is seen by its next step.
        </p>
      ) : null}
    </div>
  );
}
