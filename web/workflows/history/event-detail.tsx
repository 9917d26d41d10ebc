import type { ReactElement } from 'react';
import { JsonTree } from '../../parts/json-tree.tsx';
import { When } from '../../parts/when.tsx';
import { PayloadList } from '../payloads/payload-view.tsx';
import { EventFailure } from './event-failure.tsx';
import { type EventField, fieldsOf } from './event-fields.ts';
import { type HistoryEvent, typeName, typeOf } from './history-event.ts';

interface EventDetailProps {
  readonly event: HistoryEvent;
  /** It is the one that the address names. */
  readonly current: boolean;
}

/** Everything that one event says. */
export function EventDetail({ event, current }: EventDetailProps): ReactElement {
  const fields = fieldsOf(event);
  const short = fields.filter((field) => field.kind === 'text');
  const long = fields.filter((field) => field.kind !== 'text');
  return (
    <section className="event-detail" aria-current={current ? true : undefined}>
      <h2>
        <span className="event-id figures">{event.eventId}</span>
        {typeName(typeOf(event))}
        <span className="quiet small">
          <When at={event.eventTime} as="exact" />
        </span>
      </h2>
      {short.length === 0 ? null : (
        <dl className="event-fields">
          {short.map((field) => (
            <div key={field.name}>
              <dt>{field.name}</dt>
              <dd>{field.kind === 'text' ? field.text : null}</dd>
            </div>
          ))}
        </dl>
      )}
      {long.map((field) => (
        <div key={field.name} className="event-field">
          <p className="quiet small">{field.name}</p>
          <LongField field={field} />
        </div>
      ))}
    </section>
  );
}

function LongField({ field }: { readonly field: EventField }): ReactElement | null {
  switch (field.kind) {
    case 'payloads':
      return <PayloadList payloads={field.payloads} label={field.name} />;
    case 'failure':
      return <EventFailure failure={field.failure} />;
    case 'json':
      return <JsonTree value={field.value} label={field.name} />;
    case 'text':
      return null;
  }
}
