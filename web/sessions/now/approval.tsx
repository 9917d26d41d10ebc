import type { Grant } from '@steadyhand/sessions';
import { type ReactElement, useState } from 'react';
import { sendEvents } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import { shownUse } from '../tools/shown-use.ts';
import { ToolBody } from '../tools/tool-body.tsx';
import { decisionOf } from '../turns/decision.ts';
import { describeUse } from '../turns/describe-use.ts';
import type { ToolRow } from '../turns/rows.ts';
import { Always } from './always.tsx';

interface ApprovalProps {
  readonly session: string;
  readonly row: ToolRow;
}

/** What the agent asks for, as it will be done, with yes, once or always, and no with a reason that the agent is told. */
export function Approval({ session, row }: ApprovalProps): ReactElement {
  const { use } = row;
  const [reason, setReason] = useState('');
  const action = useAction();
  const answer = (result: 'allow' | 'deny', grant?: Grant): void => {
    const why = reason.trim();
    const told = result === 'deny' && why !== '' ? { deny_message: why } : {};
    const always = grant === undefined ? {} : { grant };
    action.run(() =>
      sendEvents(session, [
        { type: 'user.tool_confirmation', tool_use_id: use.id, result, ...told, ...always },
      ]),
    );
  };
  const rule = decisionOf(row);
  const isPointer = shownUse(use).kind === 'pointer';
  return (
    <div className="approval" role="group" aria-label={`The agent asks: ${describeUse(use)}`}>
      <p>
        The agent asks to use <strong>{use.name}</strong>
        {rule === undefined ? ':' : <span className="rule"> ({rule}):</span>}
      </p>
      {isPointer ? (
        <p className="mono">
          {describeUse(use)}
          {row.before === undefined ? null : <span className="quiet"> (marked on the screen)</span>}
        </p>
      ) : (
        <ToolBody row={row} />
      )}
      <label htmlFor={`reason-${use.id}`} className="hidden">
        Reason for a no
      </label>
      <input
        id={`reason-${use.id}`}
        placeholder="Reason for a no: the agent is told"
        value={reason}
        maxLength={2000}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="buttons">
        <Button tone="primary" disabled={action.busy} onClick={() => answer('allow')}>
          Approve
        </Button>
        <Button tone="danger" disabled={action.busy} onClick={() => answer('deny')}>
          Deny
        </Button>
      </div>
      <Always
        session={session}
        toolUse={use.id}
        busy={action.busy}
        onGrant={(grant) => answer('allow', grant)}
      />
      <Problem text={action.problem} />
    </div>
  );
}
