import type { ReactElement } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { formatCount } from '../../parts/format.ts';
import type { BatchProgress } from './run-batch.ts';

/** How far a batch has come, and what came of each workflow; those that failed stand first. */
export function BatchOutcome({
  progress,
  verb,
}: {
  readonly progress: BatchProgress;
  readonly verb: string;
}): ReactElement {
  const { total, done, failed, ended, results, more } = progress;
  const sorted = results.toSorted((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'));
  return (
    <>
      <label className="batch-progress">
        <progress value={done + failed} max={Math.max(1, total)} />
        <span role="status">
          {verb}: {formatCount(done)} of {formatCount(total)} done
          {failed === 0 ? '' : `, ${formatCount(failed)} failed`}
          {ended ? '.' : '…'}
        </span>
      </label>
      {more ? <p className="notice">The query finds more. Do it again for those that are left.</p> : null}
      {sorted.length === 0 ? null : (
        <ul className="plain batch-results" aria-label="Results" tabIndex={0}>
          {sorted.map(({ workflow_id, run_id, status, error }) => (
            <li key={`${workflow_id}${run_id}`}>
              <Badge tone={status === 'done' ? 'good' : 'failed'}>{status}</Badge>
              <span>
                {workflow_id}
                {error === null ? null : <span className="field-problem"> {error}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
