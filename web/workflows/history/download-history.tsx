import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { ask } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import { saveAs } from '../payloads/download.ts';

interface DownloadHistoryProps {
  readonly workflowId: string;
  readonly runId: string;
}

/** Saves the history as the file that Temporal's tools read. */
export function DownloadHistory({ workflowId, runId }: DownloadHistoryProps): ReactElement {
  const { busy, problem, run } = useAction();
  const download = (): void =>
    run(async () => {
      const answer = await ask('GET /v1/workflows/{workflow_id}/history.json', {
        params: { workflow_id: workflowId },
        query: { run_id: runId },
      });
      saveAs(`${workflowId}-${runId}.json`.replaceAll(/[^\w.-]+/g, '_'), await answer.blob());
    });
  return (
    <>
      <Button size="small" busy={busy} onClick={download}>
        <Download size={14} aria-hidden />
        Download the history
      </Button>
      <Problem text={problem} />
    </>
  );
}
