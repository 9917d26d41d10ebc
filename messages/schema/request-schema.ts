import { z } from 'zod';
import type {
  MessageCreateParams,
  MessageParam,
  TextBlockParam,
  ThinkingConfig,
  ToolChoice,
  ToolParam,
} from '../api-types.ts';
import type { ModelRequest } from '../request.ts';
import { PROVIDER_TOOLS } from '../tools/provider-tools.ts';
import { contentBlock, textBlock } from './blocks.ts';
import { cacheControl } from './cache-control.ts';
import { integer } from './integer.ts';
import { tagged, textOr } from './tagged.ts';
import { toolDefinition } from './tools.ts';

const MAX_MESSAGES = 100_000;

type SystemContent = Extract<NonNullable<Extract<MessageParam, { role: 'system' }>['content']>, unknown[]>;

const content = textOr(z.array(contentBlock));
const systemContent = textOr<SystemContent>(z.array(tagged({ text: textBlock })));

/** Told apart by `role`, which the API does not put into paths. */
const turn = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content,
}) satisfies z.ZodType<MessageParam>;
const systemTurn = z.strictObject({
  role: z.literal('system'),
  content: z.exactOptional(systemContent),
  clear_at: z.exactOptional(z.nullable(z.enum(['next_user_message', 'never']))),
}) satisfies z.ZodType<MessageParam>;

const message = z.unknown().transform((value, context): MessageParam => {
  const isSystem = typeof value === 'object' && value !== null && 'role' in value && value.role === 'system';
  const parsed = (isSystem ? systemTurn : turn).safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
  }
  return z.NEVER;
});

const parallel = { disable_parallel_tool_use: z.exactOptional(z.boolean()) };

const toolChoiceObject = tagged<ToolChoice>({
  auto: z.strictObject({ type: z.literal('auto'), ...parallel }),
  any: z.strictObject({ type: z.literal('any'), ...parallel }),
  tool: z.strictObject({ type: z.literal('tool'), name: z.string().min(1), ...parallel }),
  none: z.strictObject({ type: z.literal('none') }),
});

/** The string modes of the first computer-use release, or the objects that replaced them. */
export type ToolChoiceInput = 'auto' | 'any' | 'tool' | ToolChoice;

const toolChoice = z.unknown().transform((value, context): ToolChoiceInput => {
  const schema = typeof value === 'string' ? z.enum(['auto', 'any', 'tool']) : toolChoiceObject;
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
  }
  return z.NEVER;
});

const thinkingOptions = {
  display: z.exactOptional(z.nullable(z.enum(['summarized', 'omitted', 'updates']))),
  block_binding: z.exactOptional(
    z.nullable(
      z.strictObject({
        prefix_mismatch_behavior: z.exactOptional(z.nullable(z.enum(['error', 'drop_block']))),
      }),
    ),
  ),
};
const thinking: z.ZodType<ThinkingConfig> = tagged<ThinkingConfig>({
  enabled: z.strictObject({ type: z.literal('enabled'), budget_tokens: integer(1024), ...thinkingOptions }),
  adaptive: z.strictObject({ type: z.literal('adaptive'), ...thinkingOptions }),
  between_tools: z.strictObject({ type: z.literal('between_tools') }),
  disabled: z.strictObject({ type: z.literal('disabled') }),
});

const thread = tagged<NonNullable<MessageCreateParams['thread']>>({
  create: z.strictObject({ type: z.literal('create') }),
  continue: z.strictObject({ type: z.literal('continue'), previous_message_id: z.string().min(1) }),
});

/** An object whose inside is the upstream's business: only a provider that has a model behind it reads it. */
function passedThrough<K extends 'context_management' | 'output_config'>(): z.ZodType<
  NonNullable<MessageCreateParams[K]>
> {
  return z.record(z.string(), z.unknown()) as unknown as z.ZodType<NonNullable<MessageCreateParams[K]>>;
}

/** A body whose fields are right each by itself; the rules between them come after. */
export interface RequestBody extends Omit<
  ModelRequest,
  'messages' | 'tools' | 'tool_choice' | 'system' | 'betas'
> {
  readonly messages: MessageParam[];
  readonly system?: string | TextBlockParam[];
  readonly tools?: ToolParam[];
  readonly tool_choice?: ToolChoiceInput;
  readonly betas?: string[];
  readonly stream?: boolean;
  readonly thread?: NonNullable<MessageCreateParams['thread']> | null;
}

function buildSchema(betas: ReadonlySet<string>): z.ZodType<RequestBody> {
  return z.strictObject({
    model: z.string().min(1).max(256),
    messages: z.array(message).max(MAX_MESSAGES),
    max_tokens: integer(0),
    system: z.exactOptional(textOr(z.array(tagged({ text: textBlock }, { inPath: () => false })))),
    system_prompt: z.exactOptional(z.string()),
    tools: z.exactOptional(z.array(toolDefinition(betas))),
    tool_choice: z.exactOptional(toolChoice),
    betas: z.exactOptional(z.array(z.string().min(1))),
    stream: z.exactOptional(z.boolean()),
    temperature: z.exactOptional(z.number().min(0).max(1)),
    top_p: z.exactOptional(z.number().min(0).max(1)),
    top_k: z.exactOptional(integer(0)),
    stop_sequences: z.exactOptional(z.array(z.string())),
    metadata: z.exactOptional(z.strictObject({ user_id: z.exactOptional(z.nullable(z.string().max(256))) })),
    thinking: z.exactOptional(thinking),
    thread: z.exactOptional(z.nullable(thread)),
    cache_control: z.exactOptional(z.nullable(cacheControl)),
    service_tier: z.exactOptional(z.enum(['auto', 'standard_only'])),
    inference_geo: z.exactOptional(z.nullable(z.string())),
    speed: z.exactOptional(z.nullable(z.enum(['standard', 'fast']))),
    output_config: z.exactOptional(passedThrough<'output_config'>()),
    context_management: z.exactOptional(z.nullable(passedThrough<'context_management'>())),
  });
}

/** Built once for each set of betas that matters: zod compiles a schema when it is first used, which takes milliseconds. */
const schemas = new Map<string, z.ZodType<RequestBody>>();
const toolBetas = [...new Set(PROVIDER_TOOLS.map(({ beta }) => beta))];

/** A body of `POST /v1/messages`, with the tools that the betas allow. */
export function requestSchema(betas: readonly string[]): z.ZodType<RequestBody> {
  const allowed = toolBetas.filter((beta) => betas.includes(beta));
  const key = allowed.join();
  const schema = schemas.get(key) ?? buildSchema(new Set(allowed));
  schemas.set(key, schema);
  return schema;
}
