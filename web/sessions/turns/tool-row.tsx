import type { ReactElement, ReactNode } from 'react';
import { formatDuration } from '../../parts/format.ts';
import { shownUse } from '../tools/shown-use.ts';
import { ToolBody } from '../tools/tool-body.tsx';
import { describeUse } from './describe-use.ts';
import { decisionOf } from './decision.ts';
import type { ToolRow as Row } from './rows.ts';

interface ToolRowProps {
  readonly row: Row;
  readonly time: ReactNode;
}

const TOOL_LABELS: Readonly<Record<string, string>> = {
  str_replace_editor: 'edit',
  str_replace_based_edit_tool: 'edit',
};

/** Kinds whose body says what the line would say. */
const SAID_BELOW: ReadonlySet<string> = new Set([
  'terminal',
  'edit',
  'write',
  'file',
  'grep',
  'glob',
  'fetch',
]);

/** A tool use: what it is, what came of it, how long it took, and which rule decided on it. */
export function ToolRow({ row, time }: ToolRowProps): ReactElement {
  const { use, answer } = row;
  const failed = row.result?.is_error === true;
  const rule = decisionOf(row);
  const { kind } = shownUse(use);
  return (
    <div className={failed ? 'entry tool failed' : 'entry tool'}>
      <div className="line">
        <span className="tool-name">{TOOL_LABELS[use.name] ?? use.name}</span>
        {SAID_BELOW.has(kind) ? (
          <span className="filler" />
        ) : (
          <span className="what">{describeUse(use)}</span>
        )}
        <span className={`outcome ${failed ? 'failed' : ''}`}>{outcomeOf(row)}</span>
        {time}
      </div>
      {rule === undefined ? null : <p className="rule">{rule}</p>}
      {answer?.deny_message == null ? null : <p className="rule">You said: {answer.deny_message}</p>}
      <ToolBody row={row} />
    </div>
  );
}

function outcomeOf({ use, result, answer }: Row): string {
  if (answer?.result === 'deny') return 'denied';
  if (result?.is_error === true) return 'failed';
  if (result !== undefined) {
    const from = answer?.processed_at ?? use.processed_at;
    return formatDuration(Math.max(0, Date.parse(result.processed_at) - Date.parse(from)));
  }
  return use.evaluated_permission === 'ask' && answer === undefined ? 'waits for you' : 'running…';
}
