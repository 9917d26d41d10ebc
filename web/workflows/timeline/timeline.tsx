import { type KeyboardEvent, type ReactElement, useMemo, useRef, useState } from 'react';
import { announce } from '../../parts/announce.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { EventDetail } from '../history/event-detail.tsx';
import { isUsual } from '../history/group-filter.ts';
import type { EventGroup } from '../history/groups.ts';
import type { HistoryViewProps } from '../history/history-view.ts';
import { useViewSearch } from '../history/view-search.ts';
import { TimelineCanvas } from './timeline-canvas.tsx';
import { neighbour, viewAfterKey } from './timeline-keys.ts';
import { TimelineTools } from './timeline-tools.tsx';
import { groupWords } from './group-words.ts';
import { useLiveEdge } from './use-live-edge.ts';
import { useTimeView } from './use-time-view.ts';
import { showing, type TimeView, wholeOf } from './view.ts';

/** What happened when, as bars on an axis of time. */
export function Timeline({ groups, live, event, onEvent }: HistoryViewProps): ReactElement {
  const edge = useLiveEdge(live);
  const [{ tasks = false }, change] = useViewSearch();
  const setTasks = (next: boolean): void => change({ tasks: next ? true : undefined });
  const shown = useMemo(
    () => groups.filter((group) => (tasks ? true : isUsual(group) && group.kind !== 'marker')),
    [groups, tasks],
  );
  const span = useMemo(() => spanOf(groups), [groups]);
  const whole = wholeOf(span.from, Math.max(span.to, edge ?? 0));
  // Without a view of its own, the timeline shows everything and follows what comes.
  const [chosen, setView] = useTimeView();
  const view = chosen ?? whole;
  const [pointed, point] = useState<EventGroup>();
  const box = useRef<HTMLDivElement>(null);
  const selected = groups.find((group) => group.events.some(({ eventId }) => Number(eventId) === event));
  const select = (group: EventGroup | undefined): void => {
    onEvent(group?.id);
    if (group === undefined) return;
    announce(groupWords(group));
    if (chosen !== undefined) setView(showing(chosen, group.start, group.end ?? edge ?? group.start, whole));
  };
  const onKeyDown = (pressed: KeyboardEvent): void => {
    if (pressed.target !== pressed.currentTarget || pressed.ctrlKey || pressed.metaKey || pressed.altKey)
      return;
    const step = { ArrowDown: 1 as const, ArrowUp: -1 as const }[pressed.key];
    const next = viewAfterKey(pressed.key, view, whole);
    if (step !== undefined) select(neighbour(shown, selected, step) ?? selected);
    else if (next !== undefined) setView(next === 'whole' ? undefined : next);
    else return;
    pressed.preventDefault();
    pressed.stopPropagation();
  };
  if (groups.length === 0) return <EmptyState title="Nothing has happened yet" />;
  return (
    <>
      <TimelineTools {...{ view, whole, setView, tasks, setTasks, live }} follows={chosen === undefined} />
      <TimelineCanvas
        {...{ box, view, whole, edge, onKeyDown, point, select }}
        groups={shown}
        origin={span.from}
        selected={selected?.id}
        move={setView}
      />
      <p className="timeline-words small quiet">
        {pointed === undefined
          ? 'Drag to move. The wheel zooms after a click here, or with Control. Arrow keys move and go from bar to bar, + and − zoom, 0 shows all.'
          : groupWords(pointed)}
      </p>
      {selected === undefined ? null : (
        <div className="card row-body timeline-detail">
          {selected.events.map((held) => (
            <EventDetail key={held.eventId} event={held} current={Number(held.eventId) === event} />
          ))}
        </div>
      )}
    </>
  );
}

function spanOf(groups: readonly EventGroup[]): TimeView {
  let from = Infinity;
  let to = -Infinity;
  for (const group of groups) {
    from = Math.min(from, group.start);
    to = Math.max(to, group.end ?? group.start);
  }
  return { from, to };
}
