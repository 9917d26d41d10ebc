import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Archive, Pencil, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { call } from '../client/api.ts';
import { outdate } from '../client/queries.ts';
import { Badge } from '../parts/badge.tsx';
import { useConfirm } from '../parts/confirm.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import { Menu } from '../parts/menu.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { toast } from '../parts/toast.ts';
import type { Environment } from './environment-words.ts';

/** The top of an environment's page, and what may be done with it. */
export function EnvironmentHeader({ environment }: { readonly environment: Environment }): ReactElement {
  const { id, name, archived_at } = environment;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { ask, dialog } = useConfirm();
  const isArchived = archived_at !== null;
  const archive = (): void =>
    ask({
      title: `Archive “${name}”?`,
      text: 'No session can be started in it any more, and it cannot be changed. Sessions that use it go on. This cannot be undone.',
      verb: 'Archive',
      act: async () => {
        await call('POST /v1/environments/{id}/archive', { params: { id } });
        await outdate(client, 'GET /v1/environments', 'GET /v1/environments/{id}');
        toast(`“${name}” is archived.`);
      },
    });
  const remove = (): void =>
    ask({
      title: `Delete “${name}”?`,
      text: 'Sessions that use it stay; a sandbox that one of them still has to make gets the server’s defaults. This cannot be undone.',
      verb: 'Delete',
      act: async () => {
        await call('DELETE /v1/environments/{id}', { params: { id } });
        client.removeQueries({ queryKey: ['GET /v1/environments/{id}', { id }] });
        await outdate(client, 'GET /v1/environments');
        toast(`“${name}” is deleted.`);
        await navigate({ to: '/environments' });
      },
    });
  return (
    <>
      <PageHeader
        title={name}
        back={{ to: '/environments', label: 'Environments' }}
        status={isArchived ? <Badge tone="neutral">archived</Badge> : undefined}
        facts={<CopyableId id={id} />}
        actions={
          <>
            {isArchived ? null : (
              <Link to="/environments/$id/edit" params={{ id }} className="button">
                <Pencil size={15} aria-hidden />
                Edit
              </Link>
            )}
            <Menu
              label="More about this environment"
              items={[
                { label: 'Archive…', icon: Archive, disabled: isArchived, run: archive },
                { label: 'Delete…', icon: Trash2, tone: 'danger', run: remove },
              ]}
            />
          </>
        }
      />
      {dialog}
    </>
  );
}
