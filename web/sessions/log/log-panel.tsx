import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import type { SessionEvent } from '../../client/api.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { When } from '../../parts/when.tsx';
import { timeOf } from '../turns/event-types.ts';

interface LogPanelProps {
  readonly events: readonly SessionEvent[];
  /** The event that is open at first: the one of the moment that is shown. */
  readonly chosen: string | undefined;
}

/** Every event as the log holds it, bookkeeping included; each opens its JSON. */
export function LogPanel({ events, chosen }: LogPanelProps): ReactElement {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(chosen === undefined ? [] : [chosen]));
  const box = useRef<HTMLDivElement>(null);
  const keyOf = useCallback((index: number) => events[index]?.id ?? index, [events]);
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    getItemKey: keyOf,
    estimateSize: () => 34,
    overscan: 10,
  });
  const newest = useRef({ virtual, events });
  newest.current = { virtual, events };
  useEffect(() => {
    const { current } = newest;
    const index = current.events.findIndex(({ id }) => id === chosen);
    current.virtual.scrollToIndex(index === -1 ? current.events.length - 1 : index, { align: 'center' });
  }, [chosen]);
  const toggle = (id: string): void =>
    setOpen(
      (before) => new Set(before.has(id) ? [...before].filter((held) => held !== id) : [...before, id]),
    );
  return (
    <div
      className="panel log-panel card"
      ref={box}
      tabIndex={0}
      role="group"
      aria-label="All events, scrolled"
    >
      <ol className="turn-rows" aria-label="All events" style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const event = events[index];
          if (event === undefined) return null;
          const at = timeOf(event);
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={events.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <button
                type="button"
                className="log-line"
                aria-expanded={open.has(event.id)}
                onClick={() => toggle(event.id)}
              >
                <code>{event.type}</code>
                {at === undefined ? null : <When as="clock" at={at} />}
              </button>
              {open.has(event.id) ? <JsonTree value={event} label={event.id} search={false} /> : null}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
