import {
  contentBlock,
  customTool,
  documentBlock,
  imageBlock,
  searchResultBlock,
  textBlock,
  toolReferenceBlock,
  toolResultBlock,
  toolUseBlock,
} from '@steadyhand/messages';
import {
  agentCreate,
  agentUpdate,
  environmentCreate,
  environmentUpdate,
  sendBody,
  sessionCreate,
  sessionUpdate,
} from '@steadyhand/sessions';
import { createBody } from '../../routes/sandbox-create.ts';
import { toolResultsBody } from '../../routes/sandboxes.ts';
import { AGENTS_API } from '../apis.ts';
import { Components } from '../components.ts';
import { type OpenApiDocument, security, SECURITY_SCHEMES } from '../document.ts';
import * as answer from './answers.ts';
import { messageBatch, messageBatchCreate, messageBatchResult } from './batch-paths.ts';
import { countBody, tokenCount } from './count-paths.ts';
import { event, EVENT_SCHEMAS } from './event-answers.ts';
import { fileMetadata, fileUpload } from './file-paths.ts';
import { messageBody } from './message-body.ts';
import { modelInfo } from './model-paths.ts';
import { errorResponses } from './operations.ts';
import { agentPaths } from './paths.ts';
import { errorAnswer } from './shapes.ts';
import { WATCHING_SCHEMAS } from './watching-paths.ts';
import { withVersion } from './version-parameter.ts';

const NAMED = {
  MessageRequest: messageBody,
  CountRequest: countBody,
  TokenCount: tokenCount,
  Message: answer.message,
  ContentBlock: contentBlock,
  TextBlock: textBlock,
  ImageBlock: imageBlock,
  DocumentBlock: documentBlock,
  SearchResultBlock: searchResultBlock,
  ToolReferenceBlock: toolReferenceBlock,
  ToolUseBlock: toolUseBlock,
  ToolResultBlock: toolResultBlock,
  CustomTool: customTool,
  MessageBatchCreate: messageBatchCreate,
  MessageBatch: messageBatch,
  MessageBatchResult: messageBatchResult,
  ModelInfo: modelInfo,
  FileUpload: fileUpload,
  FileMetadata: fileMetadata,
  AgentCreate: agentCreate,
  AgentUpdate: agentUpdate,
  Agent: answer.agent,
  AgentTool: answer.agentTool,
  EnvironmentCreate: environmentCreate,
  EnvironmentUpdate: environmentUpdate,
  Environment: answer.environment,
  SessionCreate: sessionCreate,
  SessionUpdate: sessionUpdate,
  Session: answer.session,
  SessionState: answer.sessionState,
  SessionVerification: answer.sessionVerification,
  StopReason: answer.stopReason,
  EventSend: sendBody,
  SessionEvent: event,
  ...EVENT_SCHEMAS,
  SandboxCreate: createBody,
  Sandbox: answer.sandbox,
  NetworkLog: answer.networkLog,
  ToolResultsRequest: toolResultsBody,
  ToolResults: answer.toolResults,
  ...WATCHING_SCHEMAS,
  Error: errorAnswer,
};

const TAGS = [
  { name: 'Messages', description: 'The Messages API' },
  { name: 'Models', description: 'The models that requests may name' },
  { name: 'Files', description: 'The Files API: bytes that requests refer to by id' },
  { name: 'Agents', description: 'Managed Agents: versioned configurations' },
  { name: 'Environments', description: 'Managed Agents: what the sandboxes of sessions are made from' },
  { name: 'Sessions', description: 'Managed Agents: agents at work, durable' },
  { name: 'Events', description: 'Managed Agents: a session’s log, and the bytes it refers to' },
  { name: 'Sandboxes', description: 'Computers without a session' },
];

/** `/v1/openapi.json`. @param keyed whether requests need the key */
export function agentsDescription(keyed: boolean): OpenApiDocument {
  const components = new Components(NAMED);
  const paths = withVersion(agentPaths(components));
  const responses = errorResponses(components);
  return {
    openapi: '3.1.0',
    info: {
      title: AGENTS_API.title,
      version: AGENTS_API.version,
      description:
        'Messages, and computer-use agents as durable sessions. Where an official API has a route, it is that API’s. ' +
        '`?beta=true` and the `anthropic-beta` header are accepted everywhere.',
    },
    tags: TAGS,
    paths,
    components: { schemas: components.schemas, responses, securitySchemes: SECURITY_SCHEMES },
    security: security(keyed),
  };
}
