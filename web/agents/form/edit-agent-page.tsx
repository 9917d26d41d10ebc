import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { type Agent, type ApiBody, call } from '../../client/api.ts';
import { outdate, read } from '../../client/queries.ts';
import { RequestFailedError } from '../../client/request.ts';
import { formSchema } from '../../client/schemas.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { toast } from '../../parts/toast.ts';
import { Without } from '../agent-page.tsx';
import { AgentForm } from './agent-form.tsx';
import { type AgentValue, updateOf, valueOf } from './agent-value.ts';
import { ConflictNotice } from './conflict-notice.tsx';

/** Changes an agent: each change is a new version. */
export function EditAgentPage(): ReactElement {
  const { id } = useParams({ from: '/agents/$id/edit' });
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...read('GET /v1/agents/{id}', { params: { id } }),
    refetchOnMount: 'always',
  });
  const schema = useQuery(formSchema('agent'));
  // A later version that somebody else makes does not take away what is being written.
  const [begun, setBegun] = useState<Agent>();
  useEffect(() => {
    if (data !== undefined && isFetchedAfterMount) setBegun((before) => before ?? data);
  }, [data, isFetchedAfterMount]);
  if (begun === undefined || schema.data === undefined)
    return <Without error={error ?? schema.error} retry={refetch} />;
  return <EditForm key={begun.version} agent={begun} schema={schema.data} onReload={setBegun} />;
}

interface EditFormProps {
  readonly agent: Agent;
  readonly schema: JsonSchema;
  readonly onReload: (agent: Agent) => void;
}

function EditForm({ agent, schema, onReload }: EditFormProps): ReactElement {
  const { id, name } = agent;
  const client = useQueryClient();
  const navigate = useNavigate();
  /** The version that somebody else made in the meantime. */
  const [newer, setNewer] = useState<Agent>();
  const send = async (value: AgentValue): Promise<void> => {
    const body = updateOf(value, newer ?? agent) as ApiBody<'POST /v1/agents/{id}'>;
    try {
      const after = await call('POST /v1/agents/{id}', { params: { id }, body });
      await outdate(client, 'GET /v1/agents', 'GET /v1/agents/{id}', 'GET /v1/agents/{id}/versions');
      toast(after.version === agent.version ? 'Nothing was changed.' : `Version ${after.version} is there.`);
      await navigate({ to: '/agents/$id', params: { id } });
    } catch (error) {
      if (error instanceof RequestFailedError && error.status === 409) {
        const now = await call('GET /v1/agents/{id}', { params: { id } });
        if (now.archived_at === null) setNewer(now);
      }
      throw error;
    }
  };
  return (
    <>
      <PageHeader
        title={`Edit ${name}`}
        back={{ to: `/agents/${encodeURIComponent(id)}`, label: name }}
        facts={<span>Saving makes version {(newer ?? agent).version + 1}.</span>}
      />
      <AgentForm
        schema={schema}
        initial={valueOf(agent)}
        verb={newer === undefined ? 'Save' : 'Save over it'}
        onSend={send}
        beside={
          <>
            <Link to="/agents/$id" params={{ id }} className="button">
              Cancel
            </Link>
            {newer === undefined ? null : (
              <ConflictNotice begun={agent} newer={newer} onReload={() => onReload(newer)} />
            )}
          </>
        }
      />
    </>
  );
}
