import { z } from 'zod';
import type {
  MessageCreateParams,
  MessageParam,
  TextBlockParam,
  ToolChoice,
  ToolParam,
} from '../api/api-types.ts';
import { isRecord } from '../api/is-record.ts';
import type { ModelRequest, Sampling } from '../api/request.ts';
import { TOOL_BETAS } from '../tools/provider-tools.ts';
import { contentBlock, textBlock } from './blocks.ts';
import { cacheControl, integer } from './fields/shared.ts';
import { chosen, textElse } from './fields/chosen.ts';
import { nullish, optional } from './fields/optional.ts';
import * as field from './request-fields.ts';
import { tagged, textOr } from './fields/tagged.ts';
import { toolDefinition } from './tools.ts';
import { toolAddition, toolRemoval } from './upstream-blocks.ts';

const MAX_MESSAGES = 100_000;

type SystemContent = Extract<NonNullable<Extract<MessageParam, { role: 'system' }>['content']>, unknown[]>;

const content = textOr(z.array(contentBlock));
const systemContent = textOr<SystemContent>(
  z.array(
    tagged<SystemContent[number]>({
      text: textBlock,
      tool_addition: toolAddition,
      tool_removal: toolRemoval,
    }),
  ),
);

/** The forms of messages are distinguished by `role`, which is not part of paths in the API. */
const turn = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content,
}) satisfies z.ZodType<MessageParam>;
const systemTurn = z.strictObject({
  role: z.literal('system'),
  content: optional(systemContent),
  clear_at: nullish(z.enum(['next_user_message', 'never'])),
  output_config: nullish(field.turnOutputConfig),
}) satisfies z.ZodType<MessageParam>;

const message = chosen<MessageParam>(
  (value) => (isRecord(value) && value['role'] === 'system' ? systemTurn : turn),
  [turn, systemTurn],
);

const parallel = { disable_parallel_tool_use: z.exactOptional(z.boolean()) };

const toolChoiceObject = tagged<ToolChoice>({
  auto: z.strictObject({ type: z.literal('auto'), ...parallel }),
  any: z.strictObject({ type: z.literal('any'), ...parallel }),
  tool: z.strictObject({ type: z.literal('tool'), name: z.string().min(1), ...parallel }),
  none: z.strictObject({ type: z.literal('none') }),
});

/** The string modes of the first computer-use release, or the objects that replaced them. */
export type ToolChoiceInput = 'auto' | 'any' | 'tool' | ToolChoice;

const toolChoice = textElse<ToolChoiceInput>(z.enum(['auto', 'any', 'tool']), toolChoiceObject);

/** A body whose fields are valid on their own. The rules between fields are checked afterwards. */
interface RequestBody extends Omit<ModelRequest, 'messages' | 'tools' | 'tool_choice' | 'system' | 'betas'> {
  readonly messages: MessageParam[];
  readonly system?: string | TextBlockParam[];
  readonly tools?: ToolParam[];
  readonly tool_choice?: ToolChoiceInput;
  readonly betas?: string[];
  readonly stream?: boolean;
  readonly thread?: NonNullable<MessageCreateParams['thread']> | null;
}

/** The body of a request for a count, likewise. */
export type CountBody = Omit<
  RequestBody,
  | keyof Sampling
  | 'max_tokens'
  | 'stream'
  | 'stop_sequences'
  | 'metadata'
  | 'thread'
  | 'service_tier'
  | 'inference_geo'
  | 'diagnostics'
  | 'container'
  | 'fallbacks'
  | 'fallback_credit_token'
>;

const system = textOr(z.array(tagged({ text: textBlock }, { inPath: () => false })));
const metadata = z.strictObject({ user_id: nullish(z.string().max(256)) });

/** The fields that requests for a message and for a count share, apart from the tools. */
const shared = {
  model: z.string().min(1).max(256),
  messages: z.array(message).max(MAX_MESSAGES),
  system: optional(system),
  system_prompt: optional(z.string()),
  tool_choice: optional(toolChoice),
  betas: optional(z.array(z.string().min(1))),
  thinking: optional(field.thinking),
  cache_control: nullish(cacheControl),
  speed: nullish(field.speed),
  output_config: optional(field.outputConfig),
  output_format: nullish(field.outputFormat),
  context_management: nullish(field.contextManagement),
  compaction: nullish(field.compaction),
  mcp_servers: optional(field.mcpServers),
  billing_policy: nullish(field.billingPolicy),
  context_care: optional(field.contextCare),
};

function tools(betas: ReadonlySet<string>): { tools: z.ZodExactOptional<z.ZodArray<z.ZodType<ToolParam>>> } {
  return { tools: optional(z.array(toolDefinition(betas))) };
}

function countSchema(betas: ReadonlySet<string>): z.ZodType<CountBody> {
  return z.strictObject({ ...shared, ...tools(betas) });
}

function messageSchema(betas: ReadonlySet<string>): z.ZodType<RequestBody> {
  const { model, messages, ...rest } = shared;
  return z.strictObject({
    model,
    messages,
    max_tokens: integer(0),
    ...rest,
    ...tools(betas),
    stream: optional(z.boolean()),
    temperature: optional(z.number().min(0).max(1)),
    top_p: optional(z.number().min(0).max(1)),
    top_k: optional(integer(0)),
    stop_sequences: optional(z.array(z.string())),
    metadata: optional(metadata),
    thread: nullish(field.thread),
    service_tier: optional(z.enum(['auto', 'standard_only'])),
    inference_geo: nullish(z.string()),
    diagnostics: nullish(field.diagnostics),
    container: nullish(field.container),
    fallbacks: nullish(field.fallbacks),
    fallback_credit_token: nullish(field.fallbackCreditToken),
  });
}

/** Keeps a schema for each set of relevant betas, since zod takes milliseconds to compile one at its first use. */
function onceEach<T>(build: (betas: ReadonlySet<string>) => T): (betas: readonly string[]) => T {
  const built = new Map<string, T>();
  return (betas) => {
    const allowed = TOOL_BETAS.filter((beta) => betas.includes(beta));
    const key = allowed.join();
    const schema = built.get(key) ?? build(new Set(allowed));
    built.set(key, schema);
    return schema;
  };
}

/** The schema of a body of `POST /v1/messages` with the tools that the betas allow. */
export const requestSchema = onceEach(messageSchema);

/** The schema of a body of `POST /v1/messages/count_tokens`, which lacks the fields about the reply. */
export const countRequestSchema = onceEach(countSchema);
