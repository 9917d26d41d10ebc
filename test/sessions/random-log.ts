import { fc } from '../support/fast-check.ts';
import type { LogEvent, NewEvent } from '../../sessions/index.ts';
import { deniedResult, interruptedResult, replyEvents, toolResult } from '../../sessions/index.ts';

/** What may happen next to a session. A `step` is what the session does next by itself in its state. */
export type Happening =
  | { readonly kind: 'user'; readonly text: string; readonly picture: boolean }
  | { readonly kind: 'interrupt' }
  | {
      readonly kind: 'step';
      readonly blocks: readonly ReplyBlock[];
      readonly repeatsId: boolean;
      readonly which: number;
      readonly how: Answer;
    };
type ReplyBlock =
  | 'text'
  | 'space'
  | 'thinking'
  | 'redacted'
  | 'bash'
  | 'computer'
  | 'client_tool'
  | 'no_such_tool';
type Answer =
  | 'text'
  | 'picture'
  | 'error'
  | 'error with picture'
  | 'nothing'
  | 'deny'
  | 'deny without result';

const TOOLS = [
  { type: 'bash_20241022', name: 'bash', permission_policy: { type: 'always_allow' } },
  {
    type: 'computer_20241022',
    name: 'computer',
    display_width_px: 10,
    display_height_px: 10,
    permission_policy: { type: 'always_ask' },
  },
  { type: 'custom', name: 'client_tool', description: 'd', input_schema: { type: 'object' } },
] as const;

const blob = { type: 'blob', sha256: '0'.repeat(64), media_type: 'image/png' } as const;

export const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('user' as const), text: fc.string(), picture: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'interrupt' as const }) },
    {
      weight: 16,
      arbitrary: fc.record({
        kind: fc.constant('step' as const),
        blocks: fc.array(
          fc.constantFrom<ReplyBlock>(
            'text',
            'space',
            'thinking',
            'redacted',
            'bash',
            'computer',
            'client_tool',
            'no_such_tool',
          ),
          { maxLength: 5 },
        ),
        repeatsId: fc.boolean(),
        which: fc.nat(),
        how: fc.constantFrom<Answer>(
          'text',
          'picture',
          'error',
          'error with picture',
          'nothing',
          'deny',
          'deny without result',
        ),
      }),
    },
  ),
  { maxLength: 60, size: 'max' },
);

export interface RandomLog {
  readonly events: readonly LogEvent[];
  /** The cursors that the model was asked with. */
  readonly requests: readonly number[];
}

/**
 * A log as the program writes one: the model is asked only when the user has spoken and no tool use is open, replies
 * come with the cursor they were asked with, tools answer in any order, and an interrupt drops the pending reply and
 * answers what is open.
 */
export function play(happened: readonly Happening[]): RandomLog {
  const events: LogEvent[] = [];
  const requests: number[] = [];
  let open: LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>[] = [];
  let asked: number | undefined;
  let owed = false;
  let count = 0;

  const add = (...added: readonly NewEvent[]): LogEvent[] =>
    added.map((event) => {
      const seq = events.length + 1;
      const whole = {
        ...event,
        seq,
        id: `sevt_${seq}`,
        session: 's',
        internal: event.internal ?? {},
        created_at: '',
      };
      events.push(whole as LogEvent);
      return whole as LogEvent;
    });

  for (const next of happened) {
    switch (next.kind) {
      case 'user':
        owed = true;
        add({
          type: 'user.message',
          body: {
            content: [
              { type: 'text', text: `u${(count += 1)} ${next.text}` },
              ...(next.picture ? [{ type: 'image' as const, source: blob }] : []),
            ],
          },
        });
        break;
      case 'interrupt':
        add({ type: 'user.interrupt', body: {} }, ...open.map(({ id }) => interruptedResult(id)));
        open = [];
        asked = undefined;
        owed = false;
        break;
      case 'step': {
        const use = open[next.which % (open.length || 1)];
        if (use !== undefined) {
          open = open.filter((other) => other !== use);
          add(...answer(use, next.how));
        } else if (asked !== undefined) {
          const content = next.blocks.map((kind) =>
            block(kind, next.repeatsId ? 'toolu_same' : `toolu_${(count += 1)}`),
          );
          // A reply may come with the same id as the one before, as a provider without ids of its own gives.
          const added = add(...replyEvents({ id: 'msg_same', content: unique(content) }, asked, TOOLS));
          const shown = asked;
          open = added.filter(
            (event) => event.type === 'agent.tool_use' || event.type === 'agent.custom_tool_use',
          );
          owed =
            open.length > 0 || events.some((event) => event.type === 'user.message' && event.seq > shown);
          asked = undefined;
        } else if (owed) {
          add({ type: 'span.model_request_start', body: {} });
          asked = events.length;
          requests.push(asked);
        }
        break;
      }
    }
  }
  return { events, requests };
}

/** Ids are unique within one reply at least. */
function unique<B extends { type: string; id?: string }>(content: readonly B[]): B[] {
  return content.map((item, index) =>
    item.id === undefined ? item : { ...item, id: `${item.id}_${index}` },
  );
}

type Content = Parameters<typeof replyEvents>[0]['content'][number];

function block(kind: ReplyBlock, id: string): Content {
  switch (kind) {
    case 'text':
      return { type: 'text', text: `a ${id}`, citations: null };
    case 'space':
      return { type: 'text', text: ' \n', citations: null };
    case 'thinking':
      return { type: 'thinking', thinking: 'hm', signature: 'signed' };
    case 'redacted':
      return { type: 'redacted_thinking', data: 'xyz' };
    default:
      return { type: 'tool_use', id, name: kind, input: { n: 1 } };
  }
}

function answer(use: LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>, how: Answer): readonly NewEvent[] {
  const picture = { type: 'image' as const, source: blob };
  const text = { type: 'text' as const, text: `result of ${use.id}` };
  const content = {
    text: [text],
    picture: [picture],
    error: [text],
    'error with picture': [picture],
    nothing: [],
    deny: [],
    'deny without result': [],
  }[how];
  const is_error = how.startsWith('error');
  if (use.type === 'agent.custom_tool_use') {
    return [{ type: 'user.custom_tool_result', body: { custom_tool_use_id: use.id, content, is_error } }];
  }
  const denial: NewEvent = { type: 'user.tool_confirmation', body: { tool_use_id: use.id, result: 'deny' } };
  if (how === 'deny') return [denial, deniedResult(use.id)];
  if (how === 'deny without result') return [denial];
  return [toolResult(use.id, { content, is_error })];
}
