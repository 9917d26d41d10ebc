import { type ReactElement, useMemo } from 'react';
import { CheckField } from '../../parts/check-field.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterChoice, FilterSearch } from '../../parts/filters.tsx';
import { EventDetail } from './event-detail.tsx';
import { GroupLine } from './group-line.tsx';
import { isFound, isUsual } from './group-filter.ts';
import type { EventGroup } from './groups.ts';
import type { HistoryViewProps } from './history-view.ts';
import { RowList } from './row-list.tsx';
import { useViewSearch } from './view-search.ts';

/** A row for what belongs together; a click shows its events. */
export function Compact({ groups, event, onEvent }: HistoryViewProps): ReactElement {
  const [{ tasks = false, order = 'first', find: text = '' }, change] = useViewSearch();
  const open = groups.find((group) => group.events.some(({ eventId }) => Number(eventId) === event));
  const rows = useMemo(() => {
    const shown = groups.filter(
      (group) => (tasks || isUsual(group) || group === open) && isFound(group, text),
    );
    return order === 'first' ? shown : shown.toReversed();
  }, [groups, tasks, order, text, open]);
  const from = groups[0]?.start ?? 0;
  const toggle = (group: EventGroup): void => onEvent(group === open ? undefined : group.id);
  return (
    <>
      <div className="filter-bar">
        <FilterSearch
          label="Search the history"
          value={text}
          placeholder="Name, id or failure"
          onSubmit={(next) => change({ find: next === '' ? undefined : next })}
        />
        <FilterChoice
          label="Order"
          value={order}
          options={[
            { value: 'first', label: 'Oldest first' },
            { value: 'last', label: 'Newest first' },
          ]}
          onChange={(next) => change({ order: next === 'last' ? next : undefined })}
        />
        <CheckField
          label="Workflow tasks"
          checked={tasks}
          onChange={(next) => change({ tasks: next ? true : undefined })}
        />
      </div>
      {rows.length === 0 ? (
        <EmptyState
          title={text === '' ? 'Nothing has happened yet' : 'Nothing in this history is like this'}
        />
      ) : (
        <RowList
          label="History"
          rows={rows}
          rowKey={({ id }) => id}
          open={open?.id}
          onToggle={toggle}
          lineClass={({ kind, state }) => `group-line ${kind} ${state.replace(' ', '-')}`}
          line={(group) => <GroupLine group={group} from={from} />}
          body={(group) =>
            group.events.map((held) => (
              <EventDetail key={held.eventId} event={held} current={Number(held.eventId) === event} />
            ))
          }
        />
      )}
    </>
  );
}
