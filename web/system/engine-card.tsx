import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import { formatCount, formatDuration } from '../parts/format.ts';
import { KeyValues } from '../parts/key-values.tsx';
import type { System } from './system-page.tsx';

const KINDS: Readonly<Record<string, string>> = {
  embedded: 'Embedded, in this server',
  'dev-server': 'Temporal’s development server',
  cluster: 'A Temporal service elsewhere',
};

/** Where the workflows run, and who works on them. */
export function EngineCard({ engine }: { readonly engine: System['engine'] }): ReactElement {
  const {
    kind,
    address,
    namespace,
    reachable,
    server_version: version,
    running_workflows: running,
    queues,
  } = engine;
  return (
    <Card
      title="Engine"
      beside={<Badge tone={reachable ? 'good' : 'failed'}>{reachable ? 'answers' : 'does not answer'}</Badge>}
    >
      <KeyValues
        label="Engine"
        entries={[
          ['Kind', KINDS[kind] ?? kind],
          ['Address', <CopyableId key="address" id={address} />],
          ['Namespace', namespace],
          ['Version', version ?? undefined],
          [
            'Workflows that run',
            running === null ? undefined : (
              <Link key="running" to="/workflows" search={{ query: 'ExecutionStatus = "Running"' }}>
                {formatCount(running)}
              </Link>
            ),
          ],
        ]}
      />
      {queues.map((queue) => (
        <Queue key={queue.name} queue={queue} />
      ))}
    </Card>
  );
}

function Queue({ queue }: { readonly queue: System['engine']['queues'][number] }): ReactElement {
  const {
    name,
    workflow_pollers: workflows,
    activity_pollers: activities,
    backlog,
    oldest_ms: oldest,
  } = queue;
  return (
    <dl className="stacked">
      <div>
        <dt>
          Task queue <code>{name}</code>
        </dt>
        <dd className="quiet">
          {`${pollers(workflows)} for workflow tasks, ${pollers(activities)} for activities`}
        </dd>
        {backlog === null ? null : (
          <dd className="quiet">
            {backlog === 0
              ? 'Nothing waits.'
              : `${formatCount(backlog)} waiting${oldest === null ? '' : `, the oldest for ${formatDuration(oldest)}`}.`}
          </dd>
        )}
      </div>
    </dl>
  );
}

function pollers(count: number): string {
  return count === 1 ? '1 poller' : `${formatCount(count)} pollers`;
}
