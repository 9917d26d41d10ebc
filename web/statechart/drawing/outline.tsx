import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react';
import { eventsOfState } from '../chart/active-states.ts';
import type { Chart, ChartState } from '../chart/chart.ts';
import { outlineOf } from '../chart/outline.ts';
import type { Marks } from './marks.ts';

interface OutlineProps {
  readonly chart: Chart;
  readonly marks: Marks;
  readonly folded: ReadonlySet<string>;
  readonly onFold: (id: string, isFolded: boolean) => void;
  readonly onChoose: (id: string) => void;
}

/** The chart as a tree of text, for screen readers, keys, and finding a state by its name. Folding folds the drawing, too. */
export function Outline({ chart, marks, folded, onFold, onChoose }: OutlineProps): ReactElement {
  const [sought, setSought] = useState('');
  const [focused, setFocused] = useState(chart.root);
  const tree = useRef<HTMLUListElement>(null);
  const states = outlineOf(chart, folded, sought);
  const current = states.some(({ id }) => id === focused) ? focused : (states[0]?.id ?? '');
  const go = (id: string | null | undefined): void => {
    if (id === undefined || id === null) return;
    setFocused(id);
    tree.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    const place = states.findIndex(({ id }) => id === current);
    const state = states[place];
    if (state === undefined) return;
    const isOpen = state.children.length > 0 && !folded.has(state.id);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(states[place + 1]?.id),
      ArrowUp: () => go(states[place - 1]?.id),
      Home: () => go(states[0]?.id),
      End: () => go(states.at(-1)?.id),
      ArrowRight: () =>
        isOpen ? go(state.children[0]) : state.children.length > 0 ? onFold(state.id, false) : undefined,
      ArrowLeft: () => (isOpen ? onFold(state.id, true) : go(state.parent)),
      Enter: () => onChoose(state.id),
      ' ': () => onChoose(state.id),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="chart-outline">
      <input
        type="search"
        aria-label="Search a state"
        placeholder="Search a state"
        value={sought}
        onChange={(event) => setSought(event.target.value)}
        onKeyDown={(event) => {
          const found = event.key === 'Enter' ? firstMatch(states, sought) : undefined;
          if (found !== undefined) onChoose(found);
        }}
      />
      {states.length === 0 ? <p className="quiet small">No state is called so.</p> : null}
      <ul role="tree" aria-label="States" className="plain" ref={tree} onKeyDown={onKey}>
        {states.map((state) => (
          <OutlineItem
            key={state.id}
            chart={chart}
            state={state}
            marks={marks}
            isFolded={folded.has(state.id)}
            isFocused={state.id === current}
            onFold={onFold}
            onChoose={() => {
              setFocused(state.id);
              onChoose(state.id);
            }}
          />
        ))}
      </ul>
    </div>
  );
}

const firstMatch = (states: readonly ChartState[], sought: string): string | undefined =>
  states.find(({ key }) => key.toLowerCase().includes(sought.trim().toLowerCase()))?.id;

interface ItemProps {
  readonly chart: Chart;
  readonly state: ChartState;
  readonly marks: Marks;
  readonly isFolded: boolean;
  readonly isFocused: boolean;
  readonly onFold: (id: string, isFolded: boolean) => void;
  readonly onChoose: () => void;
}

function OutlineItem({
  chart,
  state,
  marks,
  isFolded,
  isFocused,
  onFold,
  onChoose,
}: ItemProps): ReactElement {
  const { id, key, kind, depth, children } = state;
  const isActive = marks.active.has(id);
  const takes = isActive ? eventsOfState(chart, id) : [];
  const visits = marks.visits.states.get(id) ?? 0;
  return (
    <li
      role="treeitem"
      data-id={id}
      aria-level={depth + 1}
      aria-expanded={children.length === 0 ? undefined : !isFolded}
      aria-selected={marks.chosen === id}
      tabIndex={isFocused ? 0 : -1}
      className={isActive ? 'active' : undefined}
      style={{ '--depth': depth }}
      onClick={onChoose}
    >
      {children.length === 0 ? (
        <span className="no-fold" aria-hidden />
      ) : (
        <span
          className="fold"
          aria-hidden
          onClick={(event) => {
            event.stopPropagation();
            onFold(id, !isFolded);
          }}
        >
          <ChevronRight size={13} className={isFolded ? undefined : 'turned'} />
        </span>
      )}
      <span className="key">{key}</span>
      {kind === 'atomic' || kind === 'compound' ? null : <span className="kind">{kind}</span>}
      {isActive ? <span className="is-active">active</span> : null}
      {takes.length === 0 ? null : <span className="takes">takes {takes.join(', ')}</span>}
      {visits === 0 ? null : <span className="visits figures">{visits}×</span>}
    </li>
  );
}
