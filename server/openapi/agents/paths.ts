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
import type { Components } from '../components.ts';
import { type Operation, type Parameter, type Paths, pathParameter } from '../document.ts';
import {
  agent,
  environment,
  message,
  networkLog,
  sandbox,
  session,
  sessionState,
  sessionVerification,
  toolResults,
} from './answers.ts';
import { batchPaths } from './batch-paths.ts';
import { event, streamedEvent } from './event-answers.ts';
import { countPaths } from './count-paths.ts';
import { filePaths } from './file-paths.ts';
import { resourcePaths } from './resource-paths.ts';
import { messageBody, SCRIPT_EXAMPLE } from './message-body.ts';
import { modelPaths } from './model-paths.ts';
import {
  answers,
  bytesOf,
  type Described,
  describe as describeWith,
  eventStream,
  json,
  jsonOrStream,
} from './operations.ts';
import { screenRecordingPaths } from './screen-recording-paths.ts';
import { snapshotPaths } from './snapshot-paths.ts';
import { sandboxFilePaths } from './sandbox-file-paths.ts';
import { sandboxPoolPaths } from './sandbox-pool-paths.ts';
import * as query from './query.ts';
import { recording } from './recording.ts';
import { messageEvent } from './stream-answers.ts';
import { watchingPaths } from './watching-paths.ts';
import { deleted, pageOf, twoWayPageOf, wholeList } from './shapes.ts';

const IDS = {
  agent: pathParameter('id', 'An agent’s id, `agent_…`'),
  environment: pathParameter('id', 'An environment’s id, `env_…`'),
  session: pathParameter('id', 'A session’s id, `sesn_…`'),
  sandbox: pathParameter('id', 'A sandbox’s id, `sbx_…`'),
  blob: pathParameter('sha256', 'The hash of the bytes', { type: 'string', pattern: '^[0-9a-f]{64}$' }),
};

const betas: Parameter = {
  name: 'anthropic-beta',
  in: 'header',
  required: false,
  description: 'Betas, separated by commas; the provider-defined tools need theirs',
  schema: { type: 'string' },
};
const lastEventId: Parameter = {
  name: 'last-event-id',
  in: 'header',
  required: false,
  description: 'The stream begins right after this event; without it, now',
  schema: { type: 'string' },
};
const idempotencyKey = (description: string, schema: object = {}): Parameter => ({
  name: 'idempotency-key',
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/octet-stream'];

/** Every route of the agent API. */
export function agentPaths(components: Components): Paths {
  const describe = (id: string, summary: string, described: Described): Operation =>
    describeWith(components, id, summary, described);

  const messages: Paths = {
    '/v1/messages': {
      post: describe('createMessage', 'Create a message', {
        tag: 'Messages',
        description:
          'One reply of a model, whole or as a stream of events. The model `script` carries out a YAML list of steps.',
        parameters: [betas],
        body: json(messageBody, SCRIPT_EXAMPLE),
        answer: jsonOrStream(message, messageEvent),
        errors: [401, 402, 403, 404, 413, 429, 500, 504, 529],
      }),
    },
  };

  const agents: Paths = {
    '/v1/agents': {
      get: describe('listAgents', 'List agents', {
        tag: 'Agents',
        parameters: query.agentsQuery,
        answer: answers(pageOf(agent)),
      }),
      post: describe('createAgent', 'Create an agent', {
        tag: 'Agents',
        body: json(agentCreate, {
          name: 'Demo',
          model: 'script',
          tools: [{ type: 'agent_toolset_20260401' }],
        }),
        answer: answers(agent),
      }),
    },
    '/v1/agents/{id}': {
      get: describe('retrieveAgent', 'Retrieve an agent', {
        tag: 'Agents',
        parameters: [IDS.agent, ...query.versionQuery],
        answer: answers(agent),
        errors: [404],
      }),
      post: describe('updateAgent', 'Update an agent', {
        tag: 'Agents',
        description: 'Makes a new version unless nothing changed.',
        parameters: [IDS.agent],
        body: json(agentUpdate, { description: 'Follows a script' }),
        answer: answers(agent),
        errors: [404, 409],
      }),
    },
    '/v1/agents/{id}/versions': {
      get: describe('listAgentVersions', 'List an agent’s versions', {
        tag: 'Agents',
        parameters: [IDS.agent, ...query.versionsQuery],
        answer: answers(pageOf(agent)),
        errors: [404],
      }),
    },
    '/v1/agents/{id}/archive': {
      post: describe('archiveAgent', 'Archive an agent', {
        tag: 'Agents',
        parameters: [IDS.agent],
        answer: answers(agent),
        errors: [404],
      }),
    },
  };

  const environments: Paths = {
    '/v1/environments': {
      get: describe('listEnvironments', 'List environments', {
        tag: 'Environments',
        parameters: query.environmentsQuery,
        answer: answers(pageOf(environment)),
      }),
      post: describe('createEnvironment', 'Create an environment', {
        tag: 'Environments',
        body: json(environmentCreate, { name: 'default' }),
        answer: answers(environment),
      }),
    },
    '/v1/environments/{id}': {
      get: describe('retrieveEnvironment', 'Retrieve an environment', {
        tag: 'Environments',
        parameters: [IDS.environment],
        answer: answers(environment),
        errors: [404],
      }),
      post: describe('updateEnvironment', 'Update an environment', {
        tag: 'Environments',
        description: 'What is left out stays. Sandboxes that are there keep what they were made from.',
        parameters: [IDS.environment],
        body: json(environmentUpdate, { description: 'For the tests' }),
        answer: answers(environment),
        errors: [404, 409],
      }),
      delete: describe('deleteEnvironment', 'Delete an environment', {
        tag: 'Environments',
        parameters: [IDS.environment],
        answer: answers(deleted('environment_deleted')),
        errors: [404],
      }),
    },
    '/v1/environments/{id}/archive': {
      post: describe('archiveEnvironment', 'Archive an environment', {
        tag: 'Environments',
        parameters: [IDS.environment],
        answer: answers(environment),
        errors: [404],
      }),
    },
  };

  const sessions: Paths = {
    '/v1/sessions': {
      get: describe('listSessions', 'List sessions', {
        tag: 'Sessions',
        parameters: query.sessionsQuery,
        answer: answers(twoWayPageOf(session)),
      }),
      post: describe('createSession', 'Create a session', {
        tag: 'Sessions',
        description: '`initial_events` start it; without any it starts with its first message.',
        body: json(sessionCreate, { agent: 'agent_…', title: 'A shopping list' }),
        answer: answers(session),
        errors: [404, 409],
      }),
    },
    '/v1/sessions/{id}': {
      get: describe('retrieveSession', 'Retrieve a session', {
        tag: 'Sessions',
        parameters: [IDS.session],
        answer: answers(session),
        errors: [404],
      }),
      post: describe('updateSession', 'Update a session', {
        tag: 'Sessions',
        parameters: [IDS.session],
        body: json(sessionUpdate, { title: 'Another title', limits: { max_turns: 20 } }),
        answer: answers(session),
        errors: [404, 409],
      }),
      delete: describe('deleteSession', 'Delete a session', {
        tag: 'Sessions',
        description: 'Ends its workflow and deletes its sandbox, its log and its files.',
        parameters: [IDS.session],
        answer: answers(deleted('session_deleted')),
        errors: [404, 409],
      }),
    },
    '/v1/sessions/{id}/archive': {
      post: describe('archiveSession', 'Archive a session', {
        tag: 'Sessions',
        parameters: [IDS.session],
        answer: answers(session),
        errors: [404, 409],
      }),
    },
    '/v1/sessions/{id}/recording': {
      get: describe('retrieveSessionRecording', 'Retrieve a session as a recording', {
        tag: 'Sessions',
        description: 'The model’s requests and replies, for the `replay` provider; pictures as hashes.',
        parameters: [IDS.session],
        answer: answers(recording),
        errors: [404],
      }),
    },
    '/v1/sessions/{id}/verify': {
      get: describe('verifySession', 'Check a session’s log', {
        tag: 'Sessions',
        description: 'Walks the chain of hashes from the first event to the last.',
        parameters: [IDS.session],
        answer: answers(sessionVerification),
        errors: [404],
      }),
    },
    '/v1/sessions/{id}/state': {
      get: describe('retrieveSessionState', 'Retrieve the machine’s state', {
        tag: 'Sessions',
        parameters: [IDS.session],
        answer: answers(sessionState),
        errors: [404],
      }),
    },
  };

  const events: Paths = {
    '/v1/sessions/{id}/events': {
      get: describe('listEvents', 'List a session’s events', {
        tag: 'Events',
        parameters: [IDS.session, ...query.eventsQuery],
        answer: answers(pageOf(event)),
        errors: [404],
      }),
      post: describe('sendEvents', 'Send events', {
        tag: 'Events',
        parameters: [IDS.session, idempotencyKey('The same key again is the same message')],
        body: json(sendBody, {
          events: [{ type: 'user.message', content: [{ type: 'text', text: '- say: hello' }] }],
        }),
        answer: answers(wholeList(event)),
        errors: [404, 409],
      }),
    },
    '/v1/sessions/{id}/events/stream': {
      get: describe('streamEvents', 'Stream a session’s events', {
        tag: 'Events',
        parameters: [IDS.session, lastEventId, ...query.streamQuery],
        answer: eventStream(streamedEvent),
        errors: [404],
      }),
    },
    '/v1/blobs/{sha256}': {
      get: describe('retrieveBlob', 'Retrieve bytes that an event refers to', {
        tag: 'Events',
        parameters: [IDS.blob, ...query.blobQuery],
        answer: bytesOf(PICTURES),
        errors: [404],
      }),
    },
  };

  const sandboxes: Paths = {
    '/v1/sandboxes': {
      get: describe('listSandboxes', 'List sandboxes', {
        tag: 'Sandboxes',
        answer: answers(wholeList(sandbox)),
      }),
      post: describe('createSandbox', 'Create a sandbox', {
        tag: 'Sandboxes',
        description: 'A computer without a session, for people who bring their own loop.',
        parameters: [
          idempotencyKey('The same key again is the same sandbox, as long as it exists', {
            minLength: 1,
            maxLength: 256,
          }),
        ],
        body: json(createBody, { display: { width: 1024, height: 768 } }, false),
        answer: answers(sandbox),
        errors: [409, 500],
      }),
    },
    '/v1/sandboxes/{id}': {
      get: describe('retrieveSandbox', 'Retrieve a sandbox', {
        tag: 'Sandboxes',
        parameters: [IDS.sandbox],
        answer: answers(sandbox),
        errors: [404],
      }),
      delete: describe('deleteSandbox', 'Delete a sandbox, files and all', {
        tag: 'Sandboxes',
        parameters: [IDS.sandbox],
        answer: answers(deleted('sandbox_deleted')),
        errors: [404],
      }),
    },
    '/v1/sandboxes/{id}/screenshot': {
      get: describe('takeScreenshot', 'Take a screenshot', {
        tag: 'Sandboxes',
        parameters: [IDS.sandbox],
        answer: bytesOf(['image/png']),
        errors: [404, 500],
      }),
    },
    '/v1/sandboxes/{id}/network_log': {
      get: describe('readNetworkLog', 'Read what the programs inside asked the egress proxy for', {
        tag: 'Sandboxes',
        description: 'Oldest first; the newest 5,000 at least are kept.',
        parameters: [IDS.sandbox, ...query.networkLogQuery],
        answer: answers(networkLog),
        errors: [404, 500],
      }),
    },
    '/v1/sandboxes/{id}/tool_results': {
      post: describe('runTools', 'Carry out the tool uses of a reply', {
        tag: 'Sandboxes',
        description:
          'In order, and each at most once in the life of the sandbox. After a failed use of a computer toolset the toolset\'s others are left undone. `{"type": "agent_toolset_20260401"}` among the tools stands for its members: read, write, edit, glob, grep, bash and web_fetch.',
        parameters: [IDS.sandbox],
        body: json(toolResultsBody, {
          tools: [{ type: 'bash_20241022', name: 'bash' }],
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'date' } }],
        }),
        answer: answers(toolResults),
        errors: [404, 500],
      }),
    },
  };

  return {
    ...messages,
    ...countPaths(components, betas),
    ...batchPaths(components, betas),
    ...modelPaths(components),
    ...filePaths(components),
    ...agents,
    ...environments,
    ...sessions,
    ...resourcePaths(components),
    ...events,
    ...sandboxes,
    ...sandboxFilePaths(components),
    ...sandboxPoolPaths(components),
    ...snapshotPaths(components),
    ...screenRecordingPaths(components),
    ...watchingPaths(components),
  };
}
