import type { ReactElement } from 'react';
import { CodeBlock } from '../../parts/code-block.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { When } from '../../parts/when.tsx';
import { attributesOf, typeName, typeOf } from './history-event.ts';
import type { HistoryViewProps } from './history-view.ts';
import { RowList } from './row-list.tsx';

interface RawProps extends HistoryViewProps {
  /** Downloads the file, where the server has it. */
  readonly download?: ReactElement;
}

/** So much of an event stands in its line. */
const SHOWN = 160;

/** Every event as JSON. */
export function Raw({ events, event, onEvent, download }: RawProps): ReactElement {
  return (
    <>
      <div className="filter-bar">
        <span className="quiet figures">{formatCount(events.length)} events</span>
        {download}
      </div>
      {events.length === 0 ? (
        <EmptyState title="Nothing has happened yet" />
      ) : (
        <RowList
          label="Events"
          rows={events}
          rowKey={({ eventId }) => Number(eventId)}
          open={event}
          onToggle={({ eventId }) => onEvent(Number(eventId) === event ? undefined : Number(eventId))}
          lineClass={() => 'raw-line'}
          line={(held) => (
            <>
              <span className="line-ids figures">{held.eventId}</span>
              <span className="line-time">
                <When at={held.eventTime} as="clock" />
              </span>
              <span className="line-name">{typeName(typeOf(held))}</span>
              <code className="line-json quiet">{JSON.stringify(attributesOf(held)).slice(0, SHOWN)}</code>
            </>
          )}
          body={(held) => (
            <CodeBlock code={JSON.stringify(held, null, 2)} label={`Event ${held.eventId}`} wrap />
          )}
        />
      )}
    </>
  );
}
