import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PowerOff } from 'lucide-react';
import type { ReactElement } from 'react';
import { call } from '../client/api.ts';
import { outdate } from '../client/queries.ts';
import { Button } from '../parts/button.tsx';
import { useCommands } from '../parts/commands.ts';
import { useConfirm } from '../parts/confirm.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { toast } from '../parts/toast.ts';
import { When } from '../parts/when.tsx';
import { isolationWords, networkWords, Owner, type Sandbox, SandboxStatus } from './parts/sandbox-words.tsx';

/** Whose the sandbox is and what it is in, and the button that ends it. */
export function SandboxHeader({ sandbox }: { readonly sandbox: Sandbox }): ReactElement {
  const { id, display, created_at, session_id } = sandbox;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { ask, dialog } = useConfirm();
  const end = (): void =>
    ask({
      title: 'End this sandbox?',
      text:
        session_id === null
          ? 'Its programs stop, and its files and its film go with it. Its snapshots stay. This cannot be undone.'
          : 'Its session loses this computer with all files on it, and cannot use tools any more. This cannot be undone.',
      verb: 'End it',
      act: async () => {
        await call('DELETE /v1/sandboxes/{id}', { params: { id } });
        await outdate(client, 'GET /v1/sandboxes');
        toast('The sandbox is ended.');
        await navigate({ to: '/sandboxes' });
      },
    });
  useCommands([{ id: 'end-sandbox', name: 'End this sandbox', group: 'This sandbox', run: end }]);
  return (
    <>
      <PageHeader
        title={id}
        heading={<CopyableId id={id} />}
        back={{ to: '/sandboxes', label: 'Sandboxes' }}
        status={<SandboxStatus sandbox={sandbox} />}
        facts={
          <>
            <span>
              <Owner sandbox={sandbox} />
            </span>
            <span>{isolationWords(sandbox)}</span>
            <span>{networkWords(sandbox)}</span>
            {display === null ? null : (
              <span className="figures">
                {display.width} × {display.height}
              </span>
            )}
            <span>
              made <When at={created_at} />
            </span>
          </>
        }
        actions={
          <Button tone="danger" onClick={end}>
            <PowerOff size={15} aria-hidden />
            End
          </Button>
        }
      />
      {dialog}
    </>
  );
}
