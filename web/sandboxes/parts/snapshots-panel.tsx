import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Camera, History, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { type ApiAnswer, call } from '../../client/api.ts';
import { outdate, read } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { useConfirm } from '../../parts/confirm.tsx';
import { CopyableId } from '../../parts/copyable.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { formatBytes, formatCount } from '../../parts/format.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.ts';
import { useAction } from '../../parts/use-action.ts';
import { When } from '../../parts/when.tsx';

type Snapshot = ApiAnswer<'GET /v1/sandboxes/{id}/snapshots'>['data'][number];

/** Copies of the sandbox's files: taken, put back, deleted. */
export function SnapshotsPanel({ sandbox }: { readonly sandbox: string }): ReactElement {
  const params = { id: sandbox };
  const client = useQueryClient();
  const action = useAction();
  const { ask, dialog } = useConfirm();
  const { data, error, refetch } = useQuery(read('GET /v1/sandboxes/{id}/snapshots', { params }));
  const changed = (): Promise<void> =>
    outdate(client, 'GET /v1/sandboxes/{id}/snapshots', 'GET /v1/snapshots', 'GET /v1/sandboxes/{id}');
  const take = (): void =>
    action.run(async () => {
      await call('POST /v1/sandboxes/{id}/snapshots', { params });
      await changed();
    });
  const restore = ({ id }: Snapshot): void =>
    ask({
      title: 'Put these files back?',
      text: 'All files in the sandbox become those of the snapshot; what was changed since is lost. Its computer is started anew: programs and shells end.',
      verb: 'Put back',
      act: async () => {
        await call('POST /v1/sandboxes/{id}/restore', { params, body: { snapshot_id: id } });
        toast('The files of the snapshot are back.');
        await changed();
      },
    });
  const remove = ({ id }: Snapshot): void =>
    ask({
      title: 'Delete this snapshot?',
      text: 'This cannot be undone. The sandbox keeps its files.',
      verb: 'Delete',
      act: async () => {
        await call('DELETE /v1/sandboxes/{id}/snapshots/{snapshot}', { params: { ...params, snapshot: id } });
        await changed();
      },
    });
  return (
    <div className="snapshots-panel">
      <Button busy={action.busy} onClick={take}>
        <Camera size={15} aria-hidden />
        {action.busy ? 'Copying…' : 'Take a snapshot'}
      </Button>
      <Problem text={action.problem} />
      {error !== null && data === undefined ? <ErrorState error={error} retry={refetch} /> : null}
      {data === undefined && error === null ? <Loading rows={3} /> : null}
      {data?.data.length === 0 ? (
        <p className="quiet">
          There is no snapshot yet. It is a copy of all files, to go back to or to begin another sandbox with.
        </p>
      ) : null}
      <ul className="plain" aria-label="Snapshots">
        {data?.data.map((snapshot) => (
          <li key={snapshot.id} className="snapshot">
            <SnapshotWords snapshot={snapshot} />
            {snapshot.status === 'ready' ? (
              <IconButton
                icon={History}
                label={`Put back the files of ${snapshot.id}`}
                onClick={() => restore(snapshot)}
              />
            ) : null}
            <IconButton icon={Trash2} label={`Delete ${snapshot.id}`} onClick={() => remove(snapshot)} />
          </li>
        ))}
      </ul>
      {dialog}
    </div>
  );
}

function SnapshotWords({ snapshot }: { readonly snapshot: Snapshot }): ReactElement {
  const { id, created_at, entries, size_bytes, skipped, skipped_paths, reason } = snapshot;
  return (
    <div>
      <p>
        <When at={created_at} /> <CopyableId id={id} short />
      </p>
      <p className="quiet small" title={skipped_paths.join('\n')}>
        {reason ?? `${formatCount(entries)} entries, ${formatBytes(size_bytes)}`}
        {skipped === 0 ? '' : `, ${skipped} left out`}
      </p>
    </div>
  );
}
