import type {
  ContentBlock,
  ContentBlockParam,
  Message,
  MessageParam,
  StreamEvent,
  ToolParam,
} from '../../../messages/api/api-types.ts';
import type { ModelProvider, ReplyOptions } from '../../../messages/providers/provider.ts';
import type { ModelRequest } from '../../../messages/api/request.ts';
import { messageEvents } from '../../../messages/stream/message-events.ts';
import { StreamGrammar } from '../../../messages/stream/stream-grammar.ts';
import type {
  BashGeneration,
  ComputerGeneration,
  EditorGeneration,
  ToolGenerations,
} from '../../../messages/tools/generations.ts';

export const signal = new AbortController().signal;
export const options: ReplyOptions = { signal };

export const USAGE: Message['usage'] = {
  input_tokens: 100,
  output_tokens: 10,
  cache_creation_input_tokens: 3,
  cache_read_input_tokens: 50,
  cache_creation: { ephemeral_1h_input_tokens: 1, ephemeral_5m_input_tokens: 2 },
  fallback_credit: null,
  inference_geo: null,
  iterations: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: 'standard',
  speed: null,
};

/** A block as a model says it. */
export type Said = { readonly type: string } & Readonly<Record<string, unknown>>;

export function messageOf(content: readonly Said[], change: Partial<Message> = {}): Message {
  return {
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: 'claude-upstream',
    content: content as unknown as ContentBlock[],
    stop_reason: content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    context_management: null,
    diagnostics: null,
    usage: USAGE,
    ...change,
  };
}

export interface Model extends ModelProvider {
  /** What it was asked, oldest first. */
  readonly asked: ModelRequest[];
  readonly askedWith: ReplyOptions[];
}

/** A model behind the bridge that says what it is told to, and keeps what it was asked. The last reply repeats. */
export function modelOf(...replies: readonly Message[]): Model {
  const asked: ModelRequest[] = [];
  const askedWith: ReplyOptions[] = [];
  const next = (request: ModelRequest, given: ReplyOptions): Message => {
    asked.push(structuredClone(request) as ModelRequest);
    askedWith.push(given);
    const reply = replies[Math.min(asked.length, replies.length) - 1];
    if (reply === undefined) throw new Error('the model has nothing to say');
    return structuredClone(reply);
  };
  return {
    name: 'double',
    asked,
    askedWith,
    reply: async (request, given) => next(request, given),
    async *stream(request, given) {
      yield* messageEvents(next(request, given));
    },
  };
}

/** The events of a stream, which must be in the API's grammar. */
export async function eventsIn(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const grammar = new StreamGrammar();
  const events: StreamEvent[] = [];
  for await (const event of stream) {
    grammar.take(event);
    events.push(event);
  }
  grammar.end();
  return events;
}

const SIZE = { display_width_px: 1280, display_height_px: 800 };

export function computerTool(type: ComputerGeneration, change: object = {}): ToolParam {
  if (type === 'computer_toolset_20260801') return { type, ...change };
  const zoom = type === 'computer_20251124' ? { enable_zoom: true } : {};
  return { type, name: 'computer', ...SIZE, ...zoom, ...change } as ToolParam;
}

export function editorTool(type: EditorGeneration, change: object = {}): ToolParam {
  const based = type === 'text_editor_20250429' || type === 'text_editor_20250728';
  return { type, name: based ? 'str_replace_based_edit_tool' : 'str_replace_editor', ...change } as ToolParam;
}

export function bashTool(type: BashGeneration, change: object = {}): ToolParam {
  return { type, name: 'bash', ...change } as ToolParam;
}

const BETAS: Partial<Record<string, string>> = {
  computer_20241022: 'computer-use-2024-10-22',
  computer_20250124: 'computer-use-2025-01-24',
  computer_20251124: 'computer-use-2025-11-24',
};

export const OF_2024: ToolGenerations = {
  computer: 'computer_20241022',
  editor: 'text_editor_20241022',
  bash: 'bash_20241022',
};
export const OF_TODAY: ToolGenerations = {
  computer: 'computer_toolset_20260801',
  editor: 'text_editor_20250728',
  bash: 'bash_20250124',
};

export function taking(computer: ComputerGeneration): ToolGenerations {
  return computer === 'computer_20241022' ? OF_2024 : { ...OF_TODAY, computer };
}

/** What a client of these generations sends. */
export function requestOf(
  taken: ToolGenerations,
  messages: readonly MessageParam[] = [{ role: 'user', content: 'Go on.' }],
  change: Partial<ModelRequest> = {},
): ModelRequest {
  const beta = BETAS[taken.computer];
  return {
    model: 'claude-upstream',
    max_tokens: 1024,
    messages,
    tools: [computerTool(taken.computer), bashTool(taken.bash), editorTool(taken.editor)],
    betas: beta === undefined ? [] : [beta],
    ...change,
  };
}

/** A use of the computer tool in a generation's own words. */
export function computerUse(
  generation: ComputerGeneration,
  id: string,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): Said {
  return generation === 'computer_toolset_20260801'
    ? { type: 'tool_use', id, name, input, toolset_name: 'computer' }
    : { type: 'tool_use', id, name: 'computer', input: { action: name, ...input } };
}

export function blocksOf(message: MessageParam | undefined): readonly ContentBlockParam[] {
  if (message === undefined || !Array.isArray(message.content)) throw new Error('a message without blocks');
  return message.content as readonly ContentBlockParam[];
}
