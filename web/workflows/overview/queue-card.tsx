import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { type ApiAnswer } from '../../client/api.ts';
import { follow } from '../../client/queries.ts';
import { formatCount, formatDuration } from '../../parts/format.ts';
import { When } from '../../parts/when.tsx';
import { Card } from '../../parts/card.tsx';

type QueueKind = ApiAnswer<'GET /v1/task_queues/{name}'>['workflow'];

/** Who polls the task queue, and what waits in it. */
export function QueueCard({ name }: { readonly name: string }): ReactElement {
  const { data } = useQuery(follow('GET /v1/task_queues/{name}', { params: { name } }));
  return (
    <Card title={`Task queue ${name}`}>
      {data === undefined ? null : (
        <dl className="stacked">
          <QueueEntry title="Workflow tasks" kind={data.workflow} />
          <QueueEntry title="Activities" kind={data.activity} />
        </dl>
      )}
    </Card>
  );
}

function QueueEntry({
  title,
  kind: { pollers, backlog },
}: {
  readonly title: string;
  readonly kind: QueueKind;
}): ReactElement {
  return (
    <div>
      <dt>
        {title}
        {backlog === null || backlog.count === 0
          ? ''
          : `: ${formatCount(backlog.count)} waiting, the oldest for ${formatDuration(backlog.age_ms)}`}
      </dt>
      {pollers.length === 0 ? <dd className="quiet">Nobody polls.</dd> : null}
      {pollers.map(({ identity, last_access_time }) => (
        <dd key={identity}>
          {identity}
          {last_access_time === null ? null : (
            <span className="quiet small">
              {' '}
              <When at={last_access_time} />
            </span>
          )}
        </dd>
      ))}
    </div>
  );
}
