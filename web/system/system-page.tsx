import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { type ApiAnswer } from '../client/api.ts';
import { follow } from '../client/queries.ts';
import { ErrorState } from '../parts/error-state.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { EngineCard } from './engine-card.tsx';
import { ModelsCard } from './models-card.tsx';
import { ProblemList } from './problem-list.tsx';
import { ProcessCard } from './process-card.tsx';
import { SandboxesCard } from './sandboxes-card.tsx';
import { StoreCard } from './store-card.tsx';
import { SystemStatus } from './system-status.tsx';

export type System = ApiAnswer<'GET /v1/system'>;

/** How every part of the server is, as it changes: what is wrong first, with what to do about it. */
export function SystemPage(): ReactElement {
  const { data, error, refetch } = useQuery(follow('GET /v1/system', {}));
  return (
    <div className="system-page">
      <PageHeader
        title="Health"
        status={data === undefined ? undefined : <SystemStatus status={data.status} />}
      />
      {data === undefined && error !== null ? <ErrorState error={error} retry={refetch} /> : null}
      {data === undefined && error === null ? <Loading rows={6} /> : null}
      {data === undefined ? null : (
        <>
          <ProblemList problems={data.problems} />
          <div className="overview">
            <EngineCard engine={data.engine} />
            <StoreCard store={data.store} disks={data.disks} />
            <SandboxesCard sandboxes={data.sandboxes} />
            <ModelsCard inference={data.inference} providers={data.providers} />
            <ProcessCard process={data.process} />
          </div>
        </>
      )}
    </div>
  );
}
