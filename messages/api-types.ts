/**
 * The Messages API's own shapes under the names used in this room. They are the SDK's types, so the compiler tells when
 * what we accept or answer is not what its clients send or read.
 */
import type {
  BetaBase64ImageSource,
  BetaContentBlock,
  BetaContentBlockParam,
  BetaImageBlockParam,
  BetaMessage,
  BetaMessageParam,
  BetaRequestDocumentBlock,
  BetaSearchResultBlockParam,
  BetaTextBlockParam,
  BetaThinkingConfigParam,
  BetaTool,
  BetaToolBash20241022,
  BetaToolChoice,
  BetaToolComputerUse20241022,
  BetaToolReferenceBlockParam,
  BetaToolResultBlockParam,
  BetaToolTextEditor20241022,
  BetaToolUseBlock,
  BetaToolUseBlockParam,
  BetaUsage,
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
export type ToolUseBlockParam = BetaToolUseBlockParam;
export type ToolResultBlockParam = BetaToolResultBlockParam;

export type CustomTool = BetaTool;
export type ComputerTool = BetaToolComputerUse20241022;
export type TextEditorTool = BetaToolTextEditor20241022;
export type BashTool = BetaToolBash20241022;
/** A tool that the API defines: the client names its type and runs it, and sends no description or schema. */
export type ProviderTool = ComputerTool | TextEditorTool | BashTool;
export type ToolParam = CustomTool | ProviderTool;
export type ToolChoice = BetaToolChoice;
export type ThinkingConfig = BetaThinkingConfigParam;

export type MessageCreateParams = MessageCreateParamsBase;
