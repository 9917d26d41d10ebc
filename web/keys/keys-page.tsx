import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ApiAnswer } from '../client/api.ts';
import { follow } from '../client/queries.ts';
import { Card } from '../parts/card.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { KeyValues } from '../parts/key-values.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { HowToConfigure } from './how-to-configure.tsx';
import { KeyLimits } from './key-limits.tsx';
import { ServerLimits } from './server-limits.tsx';

export type CallingKey = ApiAnswer<'GET /v1/key'>;

/** Which key this page calls with, what it may, and how near its limits are. */
export function KeysPage(): ReactElement {
  const { data, error, refetch } = useQuery(follow('GET /v1/key', {}));
  return (
    <>
      <PageHeader title="Keys and limits" />
      {data === undefined && error !== null ? <ErrorState error={error} retry={refetch} /> : null}
      {data === undefined && error === null ? <Loading rows={6} /> : null}
      {data === undefined ? null : (
        <div className="overview">
          <Card title="The key that calls">
            <AboutKey calling={data} />
          </Card>
          <Card title="Its limits">
            <KeyLimits limits={data.limits} />
          </Card>
          <Card title="Limits for everybody">
            <ServerLimits limits={data.server_limits} />
          </Card>
          <Card title="How keys and limits are configured">
            <HowToConfigure />
          </Card>
        </div>
      )}
    </>
  );
}

const SOURCES = {
  none: 'None: this server lets in whoever reaches it on this machine, and no page of another origin.',
  default: 'The one key of the server: API_KEY, or the one that was made at its first start.',
  file: 'An entry of the keys file.',
} as const satisfies Record<CallingKey['source'], string>;

const WORKFLOWS = {
  none: 'Neither read nor act on them',
  read: 'Read them',
  act: 'Read and act on them',
} as const satisfies Record<CallingKey['rights']['workflows'], string>;

function AboutKey({ calling }: { readonly calling: CallingKey }): ReactElement {
  const { name, source, organization, rights } = calling;
  return (
    <KeyValues
      label="The key that calls"
      entries={[
        ['Name', name === null ? 'No key' : <CopyableId key="name" id={name} />],
        ['Where it comes from', SOURCES[source]],
        ['Organization', <CopyableId key="organization" id={organization} />],
        [
          'Agents, sessions, files, batches, sandboxes',
          'Read and change all of them: keys separate no data.',
        ],
        ['Workflows of the namespace', WORKFLOWS[rights.workflows]],
      ]}
    />
  );
}
