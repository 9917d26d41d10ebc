import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { type ApiBody, call } from '../../client/api.ts';
import { outdate, read } from '../../client/queries.ts';
import { formSchema } from '../../client/schemas.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { toast } from '../../parts/toast.ts';
import type { BodyValue } from '../../parts/use-body-form.ts';
import { WithoutEnvironment } from '../environment-page.tsx';
import type { Environment } from '../environment-words.ts';
import { EnvironmentForm } from './environment-form.tsx';
import { wholeConfig } from './whole-config.ts';

/** Changes an environment; sandboxes that are there keep what they were made from. */
export function EditEnvironmentPage(): ReactElement {
  const { id } = useParams({ from: '/environments/$id/edit' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...read('GET /v1/environments/{id}', { params: { id } }),
    refetchOnMount: 'always',
  });
  const schema = useQuery(formSchema('environment'));
  const [begun, setBegun] = useState<Environment>();
  useEffect(() => {
    if (data !== undefined && isFetchedAfterMount) setBegun((before) => before ?? data);
  }, [data, isFetchedAfterMount]);
  if (begun === undefined || schema.data === undefined)
    return <WithoutEnvironment error={error ?? schema.error} retry={refetch} />;
  const { name, description, config, metadata } = begun;
  const save = async (value: BodyValue): Promise<void> => {
    const given = value['metadata'] as Readonly<Record<string, string>> | undefined;
    const gone = Object.keys(metadata).filter((key) => given?.[key] === undefined);
    const pairs = { ...given, ...Object.fromEntries(gone.map((key) => [key, null])) };
    const body = {
      ...value,
      config: wholeConfig(value['config']),
      metadata: pairs,
    } as ApiBody<'POST /v1/environments/{id}'>;
    await call('POST /v1/environments/{id}', { params: { id }, body });
    await outdate(client, 'GET /v1/environments', 'GET /v1/environments/{id}');
    toast('The environment is saved.');
    await navigate({ to: '/environments/$id', params: { id } });
  };
  return (
    <>
      <PageHeader
        title={`Edit ${name}`}
        back={{ to: `/environments/${encodeURIComponent(id)}`, label: name }}
        facts={<span>Sandboxes that are there keep what they were made from.</span>}
      />
      <EnvironmentForm
        schema={schema.data}
        initial={{ name, description, config, metadata }}
        verb="Save"
        onSend={save}
        beside={
          <Link to="/environments/$id" params={{ id }} className="button">
            Cancel
          </Link>
        }
      />
    </>
  );
}
