import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Archive, Copy, Pencil, Play } from 'lucide-react';
import type { ReactElement } from 'react';
import { type Agent, call } from '../client/api.ts';
import { outdate } from '../client/queries.ts';
import { Badge } from '../parts/badge.tsx';
import { useCommands } from '../parts/commands.ts';
import { useConfirm } from '../parts/confirm.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import { Menu } from '../parts/menu.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { saveFile } from '../parts/save-file.ts';
import { toast } from '../parts/toast.ts';

interface AgentHeaderProps {
  readonly agent: Agent;
  /** Whether an earlier version is shown. */
  readonly isOld: boolean;
}

/** The top of an agent's page, and what may be done with it. */
export function AgentHeader({ agent, isOld }: AgentHeaderProps): ReactElement {
  const { id, name, version, archived_at, model } = agent;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { ask, dialog } = useConfirm();
  const isArchived = archived_at !== null;
  const archive = (): void =>
    ask({
      title: `Archive “${name}”?`,
      text: 'No session can be made from it any more, and it cannot be changed. Its sessions stay. This cannot be undone.',
      verb: 'Archive',
      act: async () => {
        await call('POST /v1/agents/{id}/archive', { params: { id } });
        await outdate(client, 'GET /v1/agents', 'GET /v1/agents/{id}');
        toast(`“${name}” is archived.`);
      },
    });
  const go = (to: '/agents/$id/try' | '/agents/$id/edit') => () => void navigate({ to, params: { id } });
  const group = 'This agent';
  useCommands(
    isArchived
      ? []
      : [
          { id: 'try-agent', name: 'Try it out', group, icon: Play, run: go('/agents/$id/try') },
          { id: 'edit-agent', name: 'Edit', group, icon: Pencil, run: go('/agents/$id/edit') },
          { id: 'archive-agent', name: 'Archive', group, icon: Archive, run: archive },
        ],
  );
  return (
    <>
      <PageHeader
        title={name}
        back={{ to: '/agents', label: 'Agents' }}
        status={
          <>
            <Badge tone={isOld ? 'waiting' : 'neutral'} plain>
              version {version}
            </Badge>
            {isArchived ? <Badge tone="neutral">archived</Badge> : null}
          </>
        }
        facts={
          <>
            <CopyableId id={id} />
            <span>{model.id}</span>
          </>
        }
        actions={
          <>
            {isArchived ? null : (
              <>
                <Link to="/agents/$id/try" params={{ id }} className="button primary">
                  <Play size={15} aria-hidden />
                  Try it out
                </Link>
                <Link to="/agents/$id/edit" params={{ id }} className="button">
                  <Pencil size={15} aria-hidden />
                  Edit
                </Link>
              </>
            )}
            <Menu
              label="More about this agent"
              items={[
                {
                  label: 'Save it as JSON',
                  icon: Copy,
                  run: () =>
                    saveFile(
                      `${id}.json`,
                      new Blob([JSON.stringify(agent, null, 2)], { type: 'application/json' }),
                    ),
                },
                { label: 'Archive…', icon: Archive, tone: 'danger', disabled: isArchived, run: archive },
              ]}
            />
          </>
        }
      />
      {dialog}
    </>
  );
}
