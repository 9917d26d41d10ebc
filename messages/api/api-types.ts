/**
 * The types of the Messages API under short names. They are the SDK's own types, so the compiler finds any difference
 * between what clients send or read and what is accepted or answered here.
 */
import type {
  BetaAdvisorTool20260301,
  BetaBase64ImageSource,
  BetaBrowserStateBlockParam,
  BetaBrowserToolset20260801,
  BetaCodeExecutionTool20250522,
  BetaCodeExecutionTool20250825,
  BetaCodeExecutionTool20260120,
  BetaCodeExecutionTool20260521,
  BetaComputerMemberName,
  BetaComputerToolset20260801,
  BetaContentBlock,
  BetaContentBlockParam,
  BetaImageBlockParam,
  BetaMCPToolset,
  BetaMemoryTool20250818,
  BetaMessage,
  BetaMessageParam,
  BetaRawMessageStreamEvent,
  BetaRequestDocumentBlock,
  BetaSearchResultBlockParam,
  BetaTextBlockParam,
  BetaThinkingConfigParam,
  BetaTool,
  BetaToolBash20241022,
  BetaToolBash20250124,
  BetaToolChoice,
  BetaToolComputerUse20241022,
  BetaToolComputerUse20250124,
  BetaToolComputerUse20251124,
  BetaToolReferenceBlockParam,
  BetaToolResultBlockParam,
  BetaToolSearchToolBm25_20251119,
  BetaToolSearchToolRegex20251119,
  BetaToolTextEditor20241022,
  BetaToolTextEditor20250124,
  BetaToolTextEditor20250429,
  BetaToolTextEditor20250728,
  BetaToolUseBlock,
  BetaToolUseBlockParam,
  BetaUsage,
  BetaWebFetchTool20250910,
  BetaWebFetchTool20260209,
  BetaWebFetchTool20260309,
  BetaWebFetchTool20260318,
  BetaWebSearchTool20250305,
  BetaWebSearchTool20260209,
  BetaWebSearchTool20260318,
  MessageCreateParamsBase,
} from '@anthropic-ai/sdk/resources/beta/messages/messages.js';

export type {
  ImageDimensionsTooLargeErrorDetails,
  ThreadUnsupportedRequestErrorDetails,
} from '@anthropic-ai/sdk/resources/messages/messages.js';

export type Message = BetaMessage;
export type ContentBlock = BetaContentBlock;
export type Usage = BetaUsage;
export type ToolUseBlock = BetaToolUseBlock;

export type MessageParam = BetaMessageParam;
export type ContentBlockParam = BetaContentBlockParam;
export type TextBlockParam = BetaTextBlockParam;
export type ImageBlockParam = BetaImageBlockParam;
export type Base64ImageSource = BetaBase64ImageSource;
export type DocumentBlockParam = BetaRequestDocumentBlock;
export type SearchResultBlockParam = BetaSearchResultBlockParam;
export type ToolReferenceBlockParam = BetaToolReferenceBlockParam;
export type BrowserStateBlockParam = BetaBrowserStateBlockParam;
export type ToolUseBlockParam = BetaToolUseBlockParam;
export type ToolResultBlockParam = BetaToolResultBlockParam;

export type CustomTool = BetaTool;
/** Mouse, keyboard and screen as one tool with an `action`. */
export type ComputerTool =
  | BetaToolComputerUse20241022
  | BetaToolComputerUse20250124
  | BetaToolComputerUse20251124;
/**
 * Mouse, keyboard and screen as a family of tools under one entry without a name. The documentation lists
 * `allowed_callers` among its fields; the SDK's type does not have it yet.
 */
export type ComputerToolset = BetaComputerToolset20260801 & Pick<BetaTool, 'allowed_callers'>;
export type ComputerMember = BetaComputerMemberName;
export type TextEditorTool =
  | BetaToolTextEditor20241022
  | BetaToolTextEditor20250124
  | BetaToolTextEditor20250429
  | BetaToolTextEditor20250728;
export type BashTool = BetaToolBash20241022 | BetaToolBash20250124;
/** A tool that the API defines. The client names its type and runs it, and sends neither description nor schema. */
export type ProviderTool = ComputerTool | ComputerToolset | TextEditorTool | BashTool;
/** A tool that only the Messages API itself can offer, because the API runs it or because it is unknown here. */
export type UpstreamTool =
  | BetaAdvisorTool20260301
  | BetaBrowserToolset20260801
  | BetaCodeExecutionTool20250522
  | BetaCodeExecutionTool20250825
  | BetaCodeExecutionTool20260120
  | BetaCodeExecutionTool20260521
  | BetaMCPToolset
  | BetaMemoryTool20250818
  | BetaToolSearchToolBm25_20251119
  | BetaToolSearchToolRegex20251119
  | BetaWebFetchTool20250910
  | BetaWebFetchTool20260209
  | BetaWebFetchTool20260309
  | BetaWebFetchTool20260318
  | BetaWebSearchTool20250305
  | BetaWebSearchTool20260209
  | BetaWebSearchTool20260318;
export type ToolParam = CustomTool | ProviderTool | UpstreamTool;
/** Every entry of `tools` except toolsets, which have no name of their own. */
export type NamedTool = Extract<ToolParam, { name: string }>;
export type ToolChoice = BetaToolChoice;
export type ThinkingConfig = BetaThinkingConfigParam;

export type MessageCreateParams = MessageCreateParamsBase;

/**
 * One event of a streamed reply, in the API's grammar: `message_start` (empty content), for each block
 * `content_block_start`, deltas, `content_block_stop`, then `message_delta` (stop reason, cumulative usage) and
 * `message_stop`. Pings and errors are the wire's own: a stream that fails throws.
 */
export type StreamEvent = BetaRawMessageStreamEvent;
