import { useQuery } from '@tanstack/react-query';
import { CircleStop, OctagonX, Radio } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { read } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { BatchDialog, type BatchAction } from './batch-dialog.tsx';
import type { WorkflowRow } from './use-workflow-list.ts';

interface BatchActionsProps {
  readonly chosen: readonly WorkflowRow[];
  readonly query: string;
}

/** What may be done to the chosen workflows. */
export function BatchActions({ chosen, query }: BatchActionsProps): ReactElement {
  const { data } = useQuery(read('GET /v1/workflow_namespace', {}));
  const [asked, setAsked] = useState<{ action: BatchAction; chosen: readonly WorkflowRow[] }>();
  const buttons = (
    <>
      <span className="quiet figures">{chosen.length} chosen</span>
      <Button size="small" onClick={() => setAsked({ action: 'signal', chosen })}>
        <Radio size={14} aria-hidden />
        Signal
      </Button>
      <Button size="small" onClick={() => setAsked({ action: 'cancel', chosen })}>
        <CircleStop size={14} aria-hidden />
        Cancel
      </Button>
      <Button size="small" tone="danger" onClick={() => setAsked({ action: 'terminate', chosen })}>
        <OctagonX size={14} aria-hidden />
        Terminate
      </Button>
    </>
  );
  return (
    <>
      {chosen.length === 0 ? null : (
        <div className="buttons batch-actions" role="group" aria-label="The chosen workflows">
          {data?.access === 'read' ? (
            <span className="quiet">Your key may look at workflows, and may not act on them.</span>
          ) : (
            buttons
          )}
        </div>
      )}
      {asked === undefined ? null : (
        <BatchDialog {...asked} query={query} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}
