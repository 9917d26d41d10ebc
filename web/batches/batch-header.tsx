import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Download, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { ask as askServer, call } from '../client/api.ts';
import { outdate } from '../client/queries.ts';
import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/confirm.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { toast } from '../parts/toast.ts';
import { useAction } from '../parts/use-action.ts';
import { type Batch, BatchStatus } from './batch-progress.tsx';

/** What can be done with a batch: cancel it while it runs; download its results and delete it once it has ended. */
export function BatchHeader({ batch }: { readonly batch: Batch }): ReactElement {
  const { id, processing_status } = batch;
  const params = { id };
  const client = useQueryClient();
  const navigate = useNavigate();
  const action = useAction();
  const { ask, dialog } = useConfirm();
  const ended = processing_status === 'ended';
  const changed = (): Promise<void> =>
    outdate(client, 'GET /v1/messages/batches', 'GET /v1/messages/batches/{id}');
  const cancel = (): void =>
    ask({
      title: 'Cancel this batch?',
      text: 'No further request of it begins. Those under way are finished, and what is answered stays.',
      verb: 'Cancel the batch',
      act: async () => {
        await call('POST /v1/messages/batches/{id}/cancel', { params });
        await changed();
      },
    });
  const remove = (): void =>
    ask({
      title: 'Delete this batch?',
      text: 'Its requests and results are gone then. This cannot be undone.',
      verb: 'Delete',
      act: async () => {
        await call('DELETE /v1/messages/batches/{id}', { params });
        toast('The batch is deleted.');
        await navigate({ to: '/batches' });
        await outdate(client, 'GET /v1/messages/batches');
      },
    });
  const download = (): void =>
    action.run(async () => {
      const results = await askServer('GET /v1/messages/batches/{id}/results', { params });
      saveFile(`${id}.jsonl`, await results.blob());
    });
  return (
    <>
      <PageHeader
        title={id}
        heading={<CopyableId id={id} />}
        back={{ to: '/batches', label: 'Batches' }}
        status={<BatchStatus batch={batch} />}
        actions={
          ended ? (
            <>
              <Button busy={action.busy} onClick={download}>
                <Download size={15} aria-hidden />
                Download the results
              </Button>
              <Button tone="danger" onClick={remove}>
                <Trash2 size={15} aria-hidden />
                Delete
              </Button>
            </>
          ) : (
            <Button tone="danger" disabled={processing_status === 'canceling'} onClick={cancel}>
              <Ban size={15} aria-hidden />
              Cancel
            </Button>
          )
        }
      />
      <Problem text={action.problem} />
      {dialog}
    </>
  );
}
