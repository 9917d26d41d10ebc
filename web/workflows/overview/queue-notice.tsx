import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { follow } from '../../client/queries.ts';

/** Says that a run that goes on has no worker. */
export function QueueNotice({ name }: { readonly name: string }): ReactElement | null {
  const { data } = useQuery(follow('GET /v1/task_queues/{name}', { params: { name } }));
  if (data === undefined || data.workflow.pollers.length > 0) return null;
  return (
    <p className="notice" role="status">
      Nobody polls the task queue <code>{name}</code>. This workflow goes on once a worker does.
    </p>
  );
}
