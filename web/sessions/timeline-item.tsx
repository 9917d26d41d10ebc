import type { ReactElement } from 'react';
import type { PolicyDecision } from '@steadyhand/sessions';
import type { SessionEvent } from '../client/api.ts';
import { describeUse, type TimelineItem } from './timeline.ts';
import { When } from '../parts/when.tsx';

/** One entry of a session's history. */
export function Entry({ item }: { readonly item: TimelineItem }): ReactElement {
  return item.kind === 'tool' ? <ToolEntry item={item} /> : <EventEntry event={item.event} />;
}

function ToolEntry({ item }: { readonly item: Extract<TimelineItem, { kind: 'tool' }> }): ReactElement {
  const { use, result, verdict } = item;
  const failed = result?.is_error === true;
  const asked = use.evaluated_permission === 'ask' && verdict === undefined && result === undefined;
  const outcome = failed ? 'failed' : result === undefined ? (asked ? 'waits for you' : 'running…') : 'done';
  const text = textOf(result?.content ?? []);
  const rule = ruleOf(item);
  return (
    <li className={`entry tool ${failed ? 'failed' : ''}`}>
      <div className="line">
        <span className="tool-name">{toolLabel(use.name)}</span>
        <code>{describeUse(use)}</code>
        <span className="outcome">{verdict === 'deny' ? 'denied' : outcome}</span>
        {rule === undefined ? null : <span className="rule">{rule}</span>}
        <When at={use.processed_at} />
      </div>
      {EDITS.has(use.name) ? <EditDetail input={use.input} /> : null}
      {text === '' ? null : (
        <details open={failed}>
          <summary>Output</summary>
          <pre>{text}</pre>
        </details>
      )}
    </li>
  );
}

/** A field of this server that the SDK's event types lack. */
interface Decided {
  readonly id: string;
  readonly policy_decision?: PolicyDecision;
}

/** The rule that decided on an action, where one did. */
function ruleOf({ use, result }: Extract<TimelineItem, { kind: 'tool' }>): string | undefined {
  const [decided] = [result, use].flatMap((event) => (event as Decided | undefined)?.policy_decision ?? []);
  if (decided === undefined) return undefined;
  const { decision, source, rule } = decided;
  const verb = { allow: 'allowed', ask: 'to be asked', deny: 'denied' }[decision];
  return `${verb} by ${source} rule ${/^\d+$/.test(rule) ? rule : `“${rule}”`}`;
}

/** Tools whose uses show what they change. */
const EDITS: ReadonlySet<string> = new Set(['str_replace_editor', 'write', 'edit']);

/** Shows the text that an edit removes and the text that it inserts. */
function EditDetail({ input }: { readonly input: Readonly<Record<string, unknown>> }): ReactElement | null {
  const { old_str, old_string, new_str, new_string, file_text, content } = input;
  const before = old_str ?? old_string;
  const added = [new_str, new_string, file_text, content].find((text) => typeof text === 'string');
  if (added === undefined && typeof before !== 'string') return null;
  return (
    <pre className="edit">
      {typeof before === 'string' ? <del>{before}</del> : null}
      {typeof before === 'string' && added !== undefined ? '\n' : null}
      {added === undefined ? null : <ins>{added}</ins>}
    </pre>
  );
}

function EventEntry({ event }: { readonly event: SessionEvent }): ReactElement {
  switch (event.type) {
    case 'user.message':
    case 'agent.message': {
      const [who, side] = event.type === 'user.message' ? ['You', 'user'] : ['Agent', 'agent'];
      return (
        <li className={`entry message ${side}`}>
          <div className="line">
            <strong>{who}</strong>
            <When at={event.processed_at ?? ''} />
          </div>
          <p className="text">{textOf(event.content)}</p>
        </li>
      );
    }
    case 'session.error':
      return (
        <li className="entry error">
          <div className="line">
            <strong>{sentence(event.error.type.replace(/_error$/, ''))}</strong>
            <When at={event.processed_at} />
          </div>
          <p className="text">{event.error.message}</p>
        </li>
      );
    default:
      return (
        <li className="entry note">
          {noteOf(event)}{' '}
          {'processed_at' in event && event.processed_at != null ? <When at={event.processed_at} /> : null}
        </li>
      );
  }
}

function noteOf(event: SessionEvent): string {
  switch (event.type) {
    case 'user.interrupt':
      return 'You interrupted';
    case 'agent.thinking':
      return 'Thought';
    case 'session.status_idle':
      return IDLE_NOTES[event.stop_reason.type] ?? `Idle: ${event.stop_reason.type.replaceAll('_', ' ')}`;
    case 'sandbox.network_request': {
      const { method, host, port, verdict, reason } = event;
      return `${method} ${host}:${port}${verdict === 'denied' ? ' denied' : ''}${reason === null ? '' : `: ${reason}`}`;
    }
    case 'session.status_rescheduled':
      return 'Waiting for the model to have room';
    case 'sandbox.takeover_started':
      return 'A person took mouse and keyboard';
    case 'sandbox.takeover_input':
      return inputNote(event.inputs);
    case 'sandbox.takeover_ended':
      return `${HANDED_BACK[event.reason]} after ${Math.max(1, Math.round(event.duration_ms / 1000))} s`;
    case 'session.status_terminated':
      return 'Ended for good';
    default:
      return sentence(event.type);
  }
}

const HANDED_BACK = {
  handed_back: 'The person handed back',
  disconnected: 'The person was gone: handed back',
  expired: 'The takeover’s time was over: handed back',
} as const;

/** Summarises what a person did in one line. */
function inputNote(inputs: Extract<SessionEvent, { type: 'sandbox.takeover_input' }>['inputs']): string {
  const clicks = inputs.filter((input) => input.type === 'button' && input.down).length;
  const keys = inputs.flatMap((input) => (input.type === 'key' && input.down ? [input.keysym] : []));
  const parts = [
    ...(clicks === 0 ? [] : [`${clicks} ${clicks === 1 ? 'click' : 'clicks'}`]),
    ...(keys.length === 0 ? [] : [`keys ${keys.slice(0, 40).join(' ')}${keys.length > 40 ? ' …' : ''}`]),
  ];
  return `The person: ${parts.length === 0 ? 'moved the pointer' : parts.join(', ')}`;
}

/** Makes a type such as `model_overloaded` readable. */
function sentence(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[._]/g, ' ');
}

const IDLE_NOTES: Readonly<Record<string, string>> = {
  end_turn: 'The turn is over',
  requires_action: 'Waits for your answer',
  budget_reached: 'Stopped at a limit',
  retries_exhausted: 'Gave up after several attempts; a message resumes it',
};

const TOOL_LABELS: Readonly<Record<string, string>> = { str_replace_editor: 'edit' };

function toolLabel(name: string): string {
  return TOOL_LABELS[name] ?? name;
}

/** The texts of a content list; its pictures are shown as screenshots. */
function textOf(content: readonly { readonly type: string }[]): string {
  return content
    .map((block) => ('text' in block && typeof block.text === 'string' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}
