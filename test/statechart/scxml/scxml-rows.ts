import { wait, type Row } from '../behaviour/row.ts';
import fixtures from './fixtures.json' with { type: 'json' };
import type { ScxmlCase } from './scxml-case.ts';
import { scaled, toMachine } from './to-machine.ts';

export const cases = fixtures as unknown as readonly ScxmlCase[];

/** Longer than any case takes by itself. */
const TO_THE_END = scaled(10_000);

/** The cases as rows of the behaviour table. */
export const scxmlRows: readonly Row[] = cases.map(({ name, events, scxml }) => ({
  name,
  machine: () => toMachine(scxml),
  steps:
    events.length === 0
      ? [wait(TO_THE_END)]
      : events.flatMap(({ after, event }) => [
          ...(after === undefined ? [] : [wait(scaled(after))]),
          { type: event.name },
        ]),
  ends: '',
}));
