import type { ReactElement } from 'react';
import { SelectField } from '../../parts/fields.tsx';
import { clausesOf, withField } from '../query/clauses.ts';
import { conditionOf } from '../query/condition.ts';

interface TimeRangeProps {
  readonly query: string;
  readonly onChange: (query: string) => void;
}

const MINUTE = 60_000;
const RANGES = { hour: 60 * MINUTE, day: 24 * 60 * MINUTE, week: 7 * 24 * 60 * MINUTE } as const;
type Range = keyof typeof RANGES;

/** Asks for what has started lately. The query holds the moment, so that a link shows a colleague the same. */
export function TimeRange({ query, onChange }: TimeRangeProps): ReactElement {
  const isSet = clausesOf(query).some(({ field }) => field === 'StartTime');
  const choose = (value: Range | 'any' | 'set'): void => {
    if (value === 'set') return;
    const from =
      value === 'any' ? undefined : new Date(Math.floor(Date.now() / MINUTE) * MINUTE - RANGES[value]);
    const condition =
      from === undefined ? null : conditionOf('StartTime', '>=', from.toISOString(), 'Datetime');
    onChange(withField(query, 'StartTime', condition));
  };
  return (
    <SelectField<Range | 'any' | 'set'>
      label="Started"
      hideLabel
      value={isSet ? 'set' : 'any'}
      options={[
        { value: 'any', label: 'Started at any time' },
        ...(isSet ? [{ value: 'set' as const, label: 'Started as filtered' }] : []),
        { value: 'hour', label: 'In the last hour' },
        { value: 'day', label: 'In the last 24 hours' },
        { value: 'week', label: 'In the last 7 days' },
      ]}
      onChange={choose}
    />
  );
}
