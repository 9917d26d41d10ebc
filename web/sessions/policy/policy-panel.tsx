import { type ReactElement, useMemo } from 'react';
import type { Session, SessionEvent } from '../../client/api.ts';
import { JsonTree } from '../../parts/json-tree.tsx';
import { When } from '../../parts/when.tsx';
import type { PolicyDecision } from '@steadyhand/sessions';
import { decisionText } from '../turns/decision.ts';
import { describeUse } from '../turns/describe-use.ts';
import type { ToolResult, ToolUse } from '../turns/event-types.ts';
import { Granted } from './granted.tsx';
import { grantsOf, grantText } from './grants.ts';

interface PolicyPanelProps {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  readonly onChoose: (event: string) => void;
}

interface Decided {
  readonly event: string;
  readonly at: string;
  readonly what: string;
  readonly verdict: string;
}

/** What rules and people decided, under which policy, and which secrets the session may use. */
export function PolicyPanel({ session, events, onChoose }: PolicyPanelProps): ReactElement {
  const decided = useMemo(() => decisionsOf(events), [events]);
  const grants = useMemo(() => grantsOf(events), [events]);
  const { policy, secrets = [] } = session;
  const ended = session.status === 'terminated' || session.archived_at !== null;
  return (
    <div className="panel policy-panel">
      <Granted session={session.id} grants={grants} ended={ended} onChoose={onChoose} />
      <h2>Decisions</h2>
      {decided.length === 0 ? <p className="quiet">No rule and no person has decided on anything.</p> : null}
      <ul className="plain decisions">
        {decided.map(({ event, at, what, verdict }) => (
          <li key={event}>
            <button type="button" className="as-link" onClick={() => onChoose(event)}>
              <code>{what}</code>
            </button>
            <span className="quiet">
              {verdict} · <When as="clock" at={at} />
            </span>
          </li>
        ))}
      </ul>
      <h2>Secrets</h2>
      {secrets.length === 0 ? <p className="quiet">None.</p> : null}
      <ul className="plain">
        {secrets.map(({ name, allowed_tools }) => (
          <li key={name}>
            <code>{name}</code> <span className="quiet">for {allowed_tools.join(', ')}</span>
          </li>
        ))}
      </ul>
      <h2>Policy of the session</h2>
      {policy === undefined ? (
        <p className="quiet">None of its own.</p>
      ) : (
        <JsonTree value={policy} label="Policy" open={4} />
      )}
    </div>
  );
}

const ANSWERS = { allow: 'a person said yes', deny: 'a person said no' } as const;

function decisionsOf(events: readonly SessionEvent[]): readonly Decided[] {
  const uses = new Map<string, string>();
  const grants = new Map(grantsOf(events).map(({ id, grant }) => [id, grantText(grant)]));
  return events.flatMap((event): readonly Decided[] => {
    if (event.type === 'agent.tool_use') uses.set(event.id, describeUse(event));
    if (event.type === 'user.tool_confirmation') {
      const { id, tool_use_id, result, deny_message, processed_at } = event;
      const always = grants.get(id);
      const more = always === undefined ? deny_message : `from now on ${always}`;
      const verdict = `${ANSWERS[result]}${more == null ? '' : `: ${more}`}`;
      return [{ event: id, at: processed_at ?? '', what: uses.get(tool_use_id) ?? tool_use_id, verdict }];
    }
    if (event.type === 'user.grant_withdrawn') {
      const what = grants.get(event.grant_id) ?? event.grant_id;
      return [{ event: event.id, at: event.processed_at ?? '', what, verdict: 'a person withdrew it' }];
    }
    if (event.type !== 'agent.tool_use' && event.type !== 'agent.tool_result') return [];
    const { policy_decision } = event as ToolUse | ToolResult;
    if (policy_decision === undefined) return [];
    const use = event.type === 'agent.tool_use' ? event.id : event.tool_use_id;
    const what = uses.get(use) ?? use;
    return [{ event: event.id, at: event.processed_at, what, verdict: verdictOf(policy_decision, grants) }];
  });
}

/** A decision in words; one that a person made beforehand says which. */
function verdictOf(decided: PolicyDecision, grants: ReadonlyMap<string, string>): string {
  const grant = decided.source === 'person' ? grants.get(decided.rule) : undefined;
  return grant === undefined ? decisionText(decided) : `${decisionText(decided)}: ${grant}`;
}
