import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type ApiBody, call } from '../../client/api.ts';
import { outdate } from '../../client/queries.ts';
import { formSchema } from '../../client/schemas.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { toast } from '../../parts/toast.ts';
import { AgentForm } from './agent-form.tsx';
import { type AgentValue, NEW_AGENT } from './agent-value.ts';

/** Makes an agent. */
export function NewAgentPage(): ReactElement {
  const { data: schema, error, refetch } = useQuery(formSchema('agent'));
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = async (value: AgentValue): Promise<void> => {
    const agent = await call('POST /v1/agents', { body: value as ApiBody<'POST /v1/agents'> });
    await outdate(client, 'GET /v1/agents');
    toast(`“${agent.name}” is there.`);
    await navigate({ to: '/agents/$id', params: { id: agent.id } });
  };
  return (
    <>
      <PageHeader title="New agent" back={{ to: '/agents', label: 'Agents' }} />
      {schema === undefined ? (
        error === null ? (
          <Loading rows={8} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : (
        <AgentForm
          schema={schema}
          initial={NEW_AGENT}
          verb="Create"
          onSend={create}
          beside={
            <Link to="/agents" className="button">
              Cancel
            </Link>
          }
        />
      )}
    </>
  );
}
