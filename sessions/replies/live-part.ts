/** The previews that a stream may be asked for in `event_deltas`. The first two are the API's, the others extend it. */
export const DELTA_TYPES = [
  'agent.message',
  'agent.thinking',
  'agent.thinking.text',
  'agent.tool_use',
  'agent.custom_tool_use',
] as const;
export type DeltaType = (typeof DELTA_TYPES)[number];

/** Opens the preview of an event, under the id that the event will have. It voids earlier fragments of the event. */
export interface PreviewStart {
  readonly type: 'event_start';
  readonly event:
    | { readonly id: string; readonly type: 'agent.message' | 'agent.thinking' }
    | {
        readonly id: string;
        readonly type: 'agent.tool_use' | 'agent.custom_tool_use';
        readonly name: string;
      };
}

/** A fragment of the event. Adjacent fragments of one kind may be joined. */
export interface PreviewDelta {
  readonly type: 'event_delta';
  readonly event_id: string;
  readonly delta:
    | {
        readonly type: 'content_delta';
        /** The place in the event's `content`. */
        readonly index: number;
        readonly content: { readonly type: 'text'; readonly text: string };
      }
    | { readonly type: 'thinking_delta'; readonly thinking: string }
    /** A piece of the JSON of the tool's input. */
    | { readonly type: 'input_json_delta'; readonly partial_json: string };
}

export interface LivePart {
  /** The part is sent to streams that were asked for one of these. */
  readonly of: readonly DeltaType[];
  readonly event: PreviewStart | PreviewDelta;
}

/** The delta for both, if the second continues the first. */
export function joined(first: LivePart['event'], second: LivePart['event']): PreviewDelta | undefined {
  if (first.type !== 'event_delta' || second.type !== 'event_delta' || first.event_id !== second.event_id)
    return undefined;
  const [before, after] = [first.delta, second.delta];
  if (before.type === 'content_delta' && after.type === 'content_delta' && before.index === after.index) {
    const text = before.content.text + after.content.text;
    return { ...first, delta: { ...before, content: { type: 'text', text } } };
  }
  if (before.type === 'thinking_delta' && after.type === 'thinking_delta')
    return { ...first, delta: { ...before, thinking: before.thinking + after.thinking } };
  if (before.type === 'input_json_delta' && after.type === 'input_json_delta')
    return { ...first, delta: { ...before, partial_json: before.partial_json + after.partial_json } };
  return undefined;
}

export function lengthOfPart({ event }: LivePart): number {
  if (event.type === 'event_start') return 0;
  const { delta } = event;
  if (delta.type === 'content_delta') return delta.content.text.length;
  return delta.type === 'thinking_delta' ? delta.thinking.length : delta.partial_json.length;
}

/** The same as parts whose texts have at most so many characters. */
export function fragments(part: LivePart, characters: number): readonly LivePart[] {
  const { of, event } = part;
  if (lengthOfPart(part) <= characters || event.type === 'event_start') return [part];
  const { delta } = event;
  const cut = <D extends PreviewDelta['delta']>(
    text: string,
    made: (piece: string) => D,
  ): readonly LivePart[] =>
    textPieces(text, characters).map((piece) => ({ of, event: { ...event, delta: made(piece) } }));
  switch (delta.type) {
    case 'content_delta':
      return cut(delta.content.text, (text) => ({ ...delta, content: { type: 'text', text } }));
    case 'thinking_delta':
      return cut(delta.thinking, (thinking) => ({ ...delta, thinking }));
    case 'input_json_delta':
      return cut(delta.partial_json, (partial_json) => ({ ...delta, partial_json }));
  }
}

/** A character of two code units is never cut, as half of one is no text. */
function textPieces(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(at + length - 1));
    const end = at + length - (isHalf ? 1 : 0);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
