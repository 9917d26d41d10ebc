import type { Chart, ChartState, ChartTransition } from '../chart/chart.ts';

/** How wide a text is, as the name of a state or as one of the smaller lines. */
export type Measure = (text: string, as: 'name' | 'line') => number;

export interface Box {
  readonly width: number;
  readonly height: number;
}

export const HEADER = 30;
export const LINE = 16;
/** Between the edge of a box and its text. */
export const INSET = 11;
const LONGEST = 44;

/** A line of small text in a state: what it does, or a transition that does not leave it. */
export interface InnerLine {
  readonly text: string;
  readonly transition: ChartTransition | undefined;
}

/** The lines below a state's name. */
export function innerLines(chart: Chart, state: ChartState): readonly InnerLine[] {
  const does = (mark: string, names: readonly string[]): InnerLine[] =>
    names.map((name) => ({ text: shortened(`${mark} ${name}`), transition: undefined }));
  return [
    ...does('entry /', state.entry),
    ...does(
      'runs',
      state.invokes.map(({ src }) => src),
    ),
    ...does('exit /', state.exit),
    ...chart.transitions
      .filter(({ source, isInner }) => isInner && source === state.id)
      .map((transition) => ({ text: transitionText(transition), transition })),
  ];
}

/** `event [guard] / actions`, as in UML. */
export function transitionText({ label, guard, actions, targets }: ChartTransition): string {
  const guarded = guard === null || guard === '(inline)' ? '' : ` [${guard}]`;
  const named = actions.filter((action) => action !== '(inline)');
  const does = named.length === 0 ? '' : ` / ${named.join(', ')}`;
  // A guard without a name is one all the same: it may be why nothing happened.
  const hidden = guard === '(inline)' ? ' [if]' : '';
  return shortened(`${label}${guarded}${hidden}${does}${targets.length > 1 ? ' ⑂' : ''}`);
}

export function boxOf(chart: Chart, state: ChartState, measure: Measure): Box {
  if (state.kind === 'history') return { width: 28, height: 28 };
  const lines = innerLines(chart, state);
  const name = measure(nameOf(state), 'name') + 2 * INSET + 30;
  const widest = Math.max(name, ...lines.map(({ text }) => measure(text, 'line') + 2 * INSET + 30));
  return {
    width: Math.ceil(Math.max(84, widest)),
    height: HEADER + (lines.length === 0 ? 6 : lines.length * LINE + 10),
  };
}

/** The room of an edge's label: a line for each transition, with the figure that says how often it was taken. */
export function edgeLabelOf(transitions: readonly ChartTransition[], measure: Measure): Box {
  const widest = Math.max(...transitions.map((each) => measure(transitionText(each), 'line')));
  return { width: Math.ceil(widest) + 40, height: transitions.length * LINE + 6 };
}

export const nameOf = ({ key }: ChartState): string => shortened(key);

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
