/**
 * The Messages API without its HTTP: requests checked, costed and answered. Other rooms import from here alone.
 *
 *     const request = parseMessageRequest(body, { betas });
 *     const message = await createMessage(request, { providers, signal });
 */
export type {
  BashTool,
  Base64ImageSource,
  ComputerTool,
  ContentBlock,
  ContentBlockParam,
  CustomTool,
  DocumentBlockParam,
  ImageBlockParam,
  Message,
  MessageCreateParams,
  MessageParam,
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
} from './api-types.ts';
export { createMessage, type CreateMessageOptions } from './create-message.ts';
export {
  API_ERRORS,
  ApiError,
  InvalidRequest,
  isApiErrorType,
  ModelNotFound,
  ProviderOverloaded,
  ProviderRateLimited,
  ProviderRefused,
  ProviderTimedOut,
  ProviderUnavailable,
  type ApiErrorBody,
  type ApiErrorType,
} from './errors.ts';
export {
  createAnthropicProvider,
  type AnthropicProviderOptions,
} from './providers/anthropic/anthropic-provider.ts';
export { createDefaultProviders, type ProvidersConfig } from './providers/default-providers.ts';
export type { ModelProvider, ModelReply, ReplyOptions } from './providers/provider.ts';
export { createProviderRegistry, type ProviderRegistry, type Route } from './providers/registry.ts';
export { createScriptProvider } from './providers/script/script-provider.ts';
export type { MessageRequest, ModelRequest } from './request.ts';
export { toInvalidRequest } from './schema/issues.ts';
export { parseMessageRequest, type RequestHeaders } from './schema/parse-message-request.ts';
export { tagged, textOr } from './schema/tagged.ts';
export { clientSystem, generatedPrompt, systemPrompt } from './system-prompt.ts';
export { readImageInfo, type ImageInfo } from './tokens/image-info.ts';
export { imageTokens } from './tokens/image-tokens.ts';
export { contentTokens, countInputTokens, toolTokens } from './tokens/request-tokens.ts';
export { estimateTextTokens } from './tokens/text-tokens.ts';
export { isProviderTool, PROVIDER_TOOL_BETAS } from './tools/provider-tools.ts';
