import type { Chart } from './chart.ts';

/** The states that a state value of XState's stands for, ancestors too. */
export function activeStates(chart: Chart, value: unknown): ReadonlySet<string> {
  const active = new Set<string>();
  const enter = (id: string, held: unknown): void => {
    const state = chart.states.get(id);
    if (state === undefined) return;
    active.add(id);
    const below: Readonly<Record<string, unknown>> =
      typeof held === 'string'
        ? { [held]: {} }
        : typeof held === 'object' && held !== null
          ? { ...held }
          : {};
    for (const child of state.children) {
      const key = chart.states.get(child)?.key ?? '';
      if (Object.hasOwn(below, key)) enter(child, below[key]);
    }
  };
  enter(chart.root, value);
  return active;
}

/** The events that have a transition in these states, as far as people send them. Guards are not evaluated. */
export function legalEvents(chart: Chart, active: ReadonlySet<string>): readonly string[] {
  const types = chart.transitions
    .filter(({ source, event }) => active.has(source) && isSent(event))
    .map(({ event }) => event);
  return [...new Set(types)].toSorted();
}

/** The same of one state alone. */
export const eventsOfState = (chart: Chart, id: string): readonly string[] =>
  legalEvents(chart, new Set([id]));

const isSent = (event: string): boolean =>
  event !== '' && !event.includes('*') && !event.startsWith('xstate.');
