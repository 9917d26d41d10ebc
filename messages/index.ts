/**
 * The Messages API without its HTTP: checks requests, counts them and has them answered.
 *
 * @example
 *     const request = parseMessageRequest(body, { betas });
 *     const message = await createMessage(request, { providers, signal });
 */

// The API: its types, its errors, and requests that have been checked.
export type {
  Base64ImageSource,
  ContentBlock,
  ContentBlockParam,
  CustomTool,
  Message,
  MessageParam,
  ProviderTool,
  StreamEvent,
  TextBlockParam,
  ToolParam,
  ToolResultBlockParam,
  Usage,
} from './api/api-types.ts';
export { ModelNotFoundError, ProviderOverloadedError } from './api/errors.ts';
export { defined } from './api/defined.ts';
export { isRecord } from './api/is-record.ts';
export { crc32 } from './providers/anthropic/crc32.ts';
export { perMessage } from './api/per-message.ts';
export type { ContextCare, ModelRequest } from './api/request.ts';

// Requests: reading one, filling in its files, answering it and counting it.
export { parseCountRequest, parseMessageRequest } from './parse-message-request.ts';
export { type FileContents, resolveFiles } from './resolve-files.ts';
export { loneSurrogateAt } from './lone-surrogate.ts';
export { type JsonListener, JsonSyntax, MAX_DEPTH, NotJsonError } from './json-syntax.ts';
export { createMessage, streamMessage } from './create-message.ts';
export { countMessageTokens } from './count-tokens.ts';
export { collectMessage } from './stream/collect-message.ts';
export { messageEvents } from './stream/message-events.ts';

// Schemas of the parts of a request, for those who accept the same parts.
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
export { acceptedForm, accepting, anyOf } from './schema/fields/accepted-form.ts';
export { integer } from './schema/fields/shared.ts';
export { toInvalidRequest } from './schema/fields/issues.ts';
export { tagged } from './schema/fields/tagged.ts';
export { contextCare } from './schema/request-fields.ts';
export { countRequestSchema, requestSchema } from './schema/request-schema.ts';
export { customTool } from './schema/tools.ts';

// Scripts.
export { scriptSchema } from './providers/script/script-schema.ts';

// Tools, and what a request costs.
export { toolsetConfigs } from './tools/computer-toolset-20260801.ts';
export { isProviderTool, PROVIDER_TOOL_BETAS, TOOL_BETAS } from './tools/provider-tools.ts';
export { type ToolAction, toolActions } from './tools/tool-actions.ts';
export { entryName, type NamedUse, namesOf, toolFor } from './tools/tool-names.ts';
export { readImageInfo } from './tokens/image-info.ts';
export { countInputTokens } from './tokens/request-tokens.ts';
export type { Size } from './models/image-limits.ts';

// What is done to a conversation before a model sees it.
export { keepScreenshots, OMITTED_PICTURE } from './context/keep-screenshots.ts';
export { PictureNotScaledError, type PictureScaler } from './context/picture-scaler.ts';

// Providers, and which of them answers for which model.
export type { ModelRequestObserver, ObservedRequest } from './figures/observer.ts';
export {
  type AnthropicProviderOptions,
  createAnthropicProvider,
} from './providers/anthropic/anthropic-provider.ts';
export type { ModelProvider, ModelReply, ReplyOptions } from './providers/provider.ts';
export { type KnownTurn, TurnRecorder } from './providers/replay/record-turns.ts';
export { createOpenAiProvider } from './providers/openai/openai-provider.ts';
export { parseRecording, type Recording } from './providers/replay/recording.ts';
export { createReplayProvider } from './providers/replay/replay-provider.ts';
export { createScriptProvider } from './providers/script/script-provider.ts';
export { PictureUnreadableError, type TextRecognizer } from './providers/script/text-recognizer.ts';
export { createDefaultProviders } from './routing/default-providers.ts';
export { createModelList } from './routing/model-list.ts';
export { type ModelPage, modelPage } from './routing/model-page.ts';
export type { ProviderStatus } from './routing/provider-status.ts';
export { providerKinds } from './routing/provider-kinds.ts';
export { ProvidersFileError } from './routing/providers-file-error.ts';
export { type ProvidersTable, readProvidersTable } from './routing/providers-table.ts';
export { createProviderRegistry, type ModelCatalog, type ProviderRegistry } from './routing/registry.ts';
