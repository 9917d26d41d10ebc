import type { SessionEvent } from '../client/api.ts';

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

export type ToolUse = EventOf<'agent.tool_use'>;
export type ToolResult = EventOf<'agent.tool_result'>;

/** An entry of the history that the page shows; a tool use is shown together with its result. */
export type TimelineItem =
  | { readonly kind: 'event'; readonly event: SessionEvent }
  | {
      readonly kind: 'tool';
      readonly use: ToolUse;
      readonly result: ToolResult | undefined;
      readonly verdict: 'allow' | 'deny' | undefined;
    };

/** A picture in a tool's result, or one that was taken at the end of a takeover. */
export interface Screenshot {
  readonly id: string;
  readonly url: string;
  readonly caption: string;
  readonly at: string;
}

/** Events that the page shows in another way, or not at all. */
const HIDDEN: ReadonlySet<string> = new Set([
  'agent.tool_result',
  'user.tool_confirmation',
  'session.status_running',
  'session.updated',
  'session.usage',
  'span.model_request_start',
  'span.model_request_end',
]);

export function timelineOf(events: readonly SessionEvent[]): readonly TimelineItem[] {
  const results = new Map<string, ToolResult>();
  const verdicts = new Map<string, 'allow' | 'deny'>();
  for (const event of events) {
    if (event.type === 'agent.tool_result') results.set(event.tool_use_id, event);
    if (event.type === 'user.tool_confirmation') verdicts.set(event.tool_use_id, event.result);
  }
  return events.flatMap((event): readonly TimelineItem[] => {
    if (event.type === 'agent.tool_use') {
      return [{ kind: 'tool', use: event, result: results.get(event.id), verdict: verdicts.get(event.id) }];
    }
    return HIDDEN.has(event.type) ? [] : [{ kind: 'event', event }];
  });
}

/** Every picture so far, oldest first. */
export function screenshotsOf(events: readonly SessionEvent[]): readonly Screenshot[] {
  const captions = new Map<string, string>();
  const shots: Screenshot[] = [];
  for (const event of events) {
    if (event.type === 'agent.tool_use') captions.set(event.id, describeUse(event));
    if (event.type !== 'agent.tool_result' && event.type !== 'sandbox.takeover_ended') continue;
    for (const [index, block] of (event.content ?? []).entries()) {
      if (block.type !== 'image' || block.source.type !== 'url') continue;
      shots.push({
        id: `${event.id}.${index}`,
        url: block.source.url,
        caption:
          event.type === 'agent.tool_result'
            ? (captions.get(event.tool_use_id) ?? 'Screenshot')
            : 'handed back by a person',
        at: event.processed_at,
      });
    }
  }
  return shots;
}

/** The tool uses that wait for a person's answer: those that the newest idle event names and nobody has answered. */
export function pendingApprovals(events: readonly SessionEvent[]): readonly ToolUse[] {
  const last = events.findLast((event) => event.type.startsWith('session.status_'));
  if (last?.type !== 'session.status_idle' || last.stop_reason.type !== 'requires_action') return [];
  const waiting = new Set(last.stop_reason.event_ids);
  for (const event of events) if (event.type === 'user.tool_confirmation') waiting.delete(event.tool_use_id);
  return events.filter((event): event is ToolUse => event.type === 'agent.tool_use' && waiting.has(event.id));
}

/** By tool of the agent toolset, the input field that says what a use is about. */
const SUBJECTS: Readonly<Record<string, string>> = {
  read: 'file_path',
  write: 'file_path',
  edit: 'file_path',
  glob: 'pattern',
  grep: 'pattern',
  web_fetch: 'url',
};

/** One line that says what a tool use does, e.g. `bash: echo hello` or `click at 12, 30`. */
export function describeUse({ name, input }: Pick<ToolUse, 'name' | 'input'>): string {
  const text = (key: string): string | undefined => {
    const value: unknown = input[key];
    return typeof value === 'string' ? value : undefined;
  };
  if (name === 'bash') return input['restart'] === true ? 'restart the shell' : (text('command') ?? name);
  const subject = SUBJECTS[name];
  if (subject !== undefined) return text(subject) ?? name;
  if (name === 'str_replace_editor') return `${text('command') ?? 'edit'} ${text('path') ?? ''}`.trim();
  const action = text('action');
  if (action === undefined) return name;
  const point: unknown = input['coordinate'];
  const where = Array.isArray(point) ? ` at ${point.join(', ')}` : '';
  const what = text('text');
  return `${action.replaceAll('_', ' ')}${where}${what === undefined ? '' : ` “${what}”`}`;
}
