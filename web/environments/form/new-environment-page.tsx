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
import type { BodyValue } from '../../parts/use-body-form.ts';
import { EnvironmentForm } from './environment-form.tsx';

const NEW: BodyValue = {
  name: '',
  config: { type: 'cloud', networking: { type: 'unrestricted' }, packages: {} },
  metadata: {},
};

/** Makes an environment. */
export function NewEnvironmentPage(): ReactElement {
  const { data: schema, error, refetch } = useQuery(formSchema('environment'));
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = async (value: BodyValue): Promise<void> => {
    const body = value as ApiBody<'POST /v1/environments'>;
    const made = await call('POST /v1/environments', { body });
    await outdate(client, 'GET /v1/environments');
    toast(`“${made.name}” is there.`);
    await navigate({ to: '/environments/$id', params: { id: made.id } });
  };
  return (
    <>
      <PageHeader title="New environment" back={{ to: '/environments', label: 'Environments' }} />
      {schema === undefined ? (
        error === null ? (
          <Loading rows={6} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : (
        <EnvironmentForm
          schema={schema}
          initial={NEW}
          verb="Create"
          onSend={create}
          beside={
            <Link to="/environments" className="button">
              Cancel
            </Link>
          }
        />
      )}
    </>
  );
}
