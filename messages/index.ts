/**
 * The Messages API without its HTTP: requests checked, costed and answered. Other rooms import from here alone.
 *
 *     const request = parseMessageRequest(body, { betas });
 *     const message = await createMessage(request, { providers, signal });
 */
export type {
  BashTool,
  Base64ImageSource,
  ComputerMember,
  ComputerTool,
  ComputerToolset,
  ContentBlock,
  ContentBlockParam,
  CustomTool,
  DocumentBlockParam,
  ImageBlockParam,
  Message,
  MessageCreateParams,
  MessageParam,
  NamedTool,
  ProviderTool,
  SearchResultBlockParam,
  TextBlockParam,
  TextEditorTool,
  ThinkingConfig,
  ToolChoice,
  ToolParam,
  ToolReferenceBlockParam,
  ToolResultBlockParam,
  ToolUseBlock,
  ToolUseBlockParam,
  Usage,
} from './api/api-types.ts';
export type { ImageLimits, Size } from './models/image-limits.ts';
export { perMessage } from './api/per-message.ts';
export { keepScreenshots, OMITTED_PICTURE } from './context/keep-screenshots.ts';
export { PictureNotScaledError, type PictureScaler } from './context/picture-scaler.ts';
export { countMessageTokens, type CountOptions, type TokenCount } from './count-tokens.ts';
export { createMessage, streamMessage, type CreateMessageOptions } from './create-message.ts';
export {
  ModelNotFoundError,
  ProviderOverloadedError,
  ProviderRateLimitedError,
  ProviderRefusedError,
  ProviderTimedOutError,
  ProviderUnavailableError,
} from './api/errors.ts';
export { resolveFiles, type FileContents } from './resolve-files.ts';
export {
  createAnthropicProvider,
  type AnthropicProviderOptions,
} from './providers/anthropic/anthropic-provider.ts';
export { createDefaultProviders, type ProvidersConfig } from './routing/default-providers.ts';
export { providerKinds } from './routing/provider-kinds.ts';
export { ProvidersFileError } from './routing/providers-file-error.ts';
export { readProvidersTable, type ProvidersTable } from './routing/providers-table.ts';
export type { ModelProvider, ModelReply, ReplyOptions } from './providers/provider.ts';
export {
  createProviderRegistry,
  type ModelCatalog,
  type ModelListing,
  type ProviderRegistry,
  type Route,
} from './routing/registry.ts';
export { refuseUnsupported, type UpstreamField } from './providers/refuse-unsupported.ts';
export { createOpenAiProvider } from './providers/openai/openai-provider.ts';
export type { OpenAiProviderOptions } from './providers/openai/options.ts';
export { type KnownTurn, TurnRecorder } from './providers/replay/record-turns.ts';
export { recorded } from './providers/replay/recorded.ts';
export { parseRecording, type Recording } from './providers/replay/recording.ts';
export { createReplayProvider } from './providers/replay/replay-provider.ts';
export { createScriptProvider } from './providers/script/script-provider.ts';
export {
  PictureUnreadableError,
  type ScreenBox,
  type ScreenLine,
  type ScreenPixels,
  type TextRecognizer,
} from './providers/script/text-recognizer.ts';
export type { ContextCare, MessageRequest, ModelRequest } from './api/request.ts';
export { contextCare } from './schema/request-fields.ts';
export { toInvalidRequest } from './schema/fields/issues.ts';
export { parseCountRequest, parseMessageRequest, type RequestHeaders } from './parse-message-request.ts';
export { tagged, textOr } from './schema/fields/tagged.ts';
export { collectMessage } from './stream/collect-message.ts';
export { messageEvents } from './stream/message-events.ts';
export type { StreamEvent } from './api/stream-event.ts';
export { clientSystem, generatedPrompt, systemPrompt } from './tools/system-prompt.ts';
export { readImageInfo, type ImageInfo } from './tokens/image-info.ts';
export { imageTokens } from './tokens/image-tokens.ts';
export { contentTokens, countInputTokens, toolTokens } from './tokens/request-tokens.ts';
export { estimateTextTokens } from './tokens/text-tokens.ts';
export {
  functionsOf,
  isProviderTool,
  kindOf,
  PROVIDER_TOOL_BETAS,
  providerToolKind,
  TOOL_BETAS,
} from './tools/provider-tools.ts';
export type { ToolFunction } from './tools/tool-function.ts';
export {
  COMPUTER_MEMBERS,
  COMPUTER_TOOLSET_NAME,
  entryName,
  isNamed,
  isToolset,
  membersOf,
  type NamedUse,
  namesOf,
  toolFor,
} from './tools/tool-names.ts';
export { isRecord } from './api/is-record.ts';
export { hasLoneSurrogate } from './lone-surrogate.ts';
export { createModelList } from './routing/model-list.ts';
export { type ModelPage, modelPage } from './routing/model-page.ts';
export { acceptedForm, accepting, anyOf } from './schema/fields/accepted-form.ts';
export {
  contentBlock,
  documentBlock,
  imageBlock,
  searchResultBlock,
  textBlock,
  toolReferenceBlock,
  toolResultBlock,
  toolUseBlock,
} from './schema/blocks.ts';
export { integer } from './schema/fields/integer.ts';
export { countRequestSchema, requestSchema } from './schema/request-schema.ts';
export { customTool } from './schema/tools.ts';
export { toolsetConfigs } from './tools/computer-toolset-20260801.ts';
