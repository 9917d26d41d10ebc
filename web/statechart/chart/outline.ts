import type { Chart, ChartState } from './chart.ts';

/** The states that an outline shows, from top to bottom: those below folded ones are left out. */
export function outlineOf(chart: Chart, folded: ReadonlySet<string>, sought: string): readonly ChartState[] {
  const text = sought.trim().toLowerCase();
  const held = text === '' ? undefined : new Set(matchesOf(chart, text).flatMap((id) => pathTo(chart, id)));
  const shown: ChartState[] = [];
  const visit = (id: string): void => {
    const state = chart.states.get(id);
    if (state === undefined || held?.has(id) === false) return;
    shown.push(state);
    // What is searched for is shown, folded or not.
    if (!folded.has(id) || held !== undefined) state.children.forEach(visit);
  };
  visit(chart.root);
  return shown;
}

/** The states whose names hold a text, in lower case. */
const matchesOf = (chart: Chart, text: string): readonly string[] =>
  [...chart.states.values()]
    .filter(({ key, description }) => `${key} ${description ?? ''}`.toLowerCase().includes(text))
    .map(({ id }) => id);

/** A state's ancestors from the outermost one on, and itself. */
function pathTo(chart: Chart, id: string): readonly string[] {
  const path: string[] = [];
  for (let at = chart.states.get(id); at !== undefined; at = chart.states.get(at.parent ?? ''))
    path.unshift(at.id);
  return path;
}
