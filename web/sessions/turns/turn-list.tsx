import { type ReactElement, useCallback, useMemo } from 'react';
import type { Preview } from '../previews.ts';
import { LiveReply } from './live-reply.tsx';
import { RowView } from './row-view.tsx';
import type { Turns } from './rows.ts';
import { useTurnWindow } from './use-turn-window.ts';

interface TurnListProps {
  readonly turns: Turns;
  readonly previews: ReadonlyMap<string, Preview>;
  /** All that there was has come. */
  readonly complete: boolean;
  /** The index of the row that the address names. */
  readonly chosen: number | undefined;
  readonly onChoose: (event: string) => void;
}

/** The turns of a session; of many thousand rows only those in view are on the page. */
export function TurnList({ turns, previews, complete, chosen, onChoose }: TurnListProps): ReactElement {
  const { rows, rowOf } = turns;
  const live = useMemo(() => [...previews.values()].filter(({ id }) => !rowOf.has(id)), [previews, rowOf]);
  const keyOf = useCallback(
    (index: number) => rows[index]?.id ?? live[index - rows.length]?.id ?? String(index),
    [rows, live],
  );
  const { box, virtual, onScroll } = useTurnWindow(rows.length + live.length, keyOf, chosen);
  const count = rows.length + live.length;
  return (
    <section className="card history" aria-label="History">
      {count === 0 ? (
        <p className="quiet nothing">{complete ? 'Nothing has happened yet.' : 'Loading…'}</p>
      ) : null}
      <div
        className="turn-box"
        ref={box}
        onScroll={onScroll}
        tabIndex={0}
        role="group"
        aria-label="Turns, scrolled"
      >
        <ol className="turn-rows" aria-label="Turns" style={{ height: `${virtual.getTotalSize()}px` }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            const preview = live[index - rows.length];
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={count}
                aria-posinset={index + 1}
                aria-current={index === chosen || undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                {row === undefined ? null : (
                  <RowView row={row} thought={previews.get(row.id)?.text} onChoose={onChoose} />
                )}
                {preview === undefined ? null : <LiveReply preview={preview} />}
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}
