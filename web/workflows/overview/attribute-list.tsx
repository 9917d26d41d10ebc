import type { ReactElement } from 'react';
import type { Workflow } from '../actions/action-name.ts';
import { When } from '../../parts/when.tsx';

/** Search attributes, each as its type is read. */
export function AttributeList({
  attributes,
}: {
  readonly attributes: Workflow['search_attributes'];
}): ReactElement {
  return (
    <dl className="event-fields">
      {Object.entries(attributes).map(([name, { type, value }]) => (
        <div key={name}>
          <dt title={type ?? undefined}>{name}</dt>
          <dd>
            {type === 'Datetime' && typeof value === 'string' ? (
              <When at={value} as="exact" />
            ) : Array.isArray(value) ? (
              value.join(', ')
            ) : typeof value === 'string' ? (
              value
            ) : (
              JSON.stringify(value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
