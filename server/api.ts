import { analyzeRoutes } from './inference/analyze.ts';
import { protocolHealthRoutes, protocolRoutes } from './inference/protocol/routes.ts';
import { vectorImageRoutes } from './inference/vector-image.ts';
import { agentRoutes } from './routes/agents.ts';
import { batchRoutes } from './routes/batches.ts';
import { blobRoutes } from './routes/blobs.ts';
import { environmentRoutes } from './routes/environments.ts';
import { eventRoutes } from './routes/events.ts';
import { fileRoutes } from './routes/files.ts';
import { formSchemaRoutes } from './routes/form-schemas.ts';
import { filmRoutes } from './routes/film.ts';
import { healthRoutes } from './routes/health.ts';
import { messageRoutes } from './routes/messages.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { modelRoutes } from './routes/models.ts';
import { probeRoutes } from './routes/probes.ts';
import { providerRoutes } from './routes/providers.ts';
import { keyRoutes } from './routes/key.ts';
import { systemRoutes } from './routes/system/routes.ts';
import { resourceRoutes } from './routes/resources.ts';
import { sandboxFileRoutes } from './routes/sandbox-files.ts';
import { sandboxPoolRegistration, sandboxPoolRoutes } from './routes/sandbox-pool.ts';
import { sandboxRoutes } from './routes/sandboxes.ts';
import { screenRecordingRoutes } from './routes/screen-recording.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { snapshotRoutes } from './routes/snapshots.ts';
import { workflowRoutes } from './routes/workflows/index.ts';
import type { Answer, AnswerValue, Declaration, PathNames, Route } from './routing/route.ts';
import { watchingRoutes } from './watching/routes.ts';

/** The routes of the inference API, in the order of its description. */
export const INFERENCE_ROUTES = [
  ...analyzeRoutes,
  ...vectorImageRoutes,
  ...protocolHealthRoutes,
  ...protocolRoutes,
  ...probeRoutes,
  ...healthRoutes,
  ...metricsRoutes,
];

/** Those of the agent API that read their bodies as they come. */
export const STREAMED_ROUTES = [...batchRoutes, ...fileRoutes, ...sandboxFileRoutes];

/** Those whose bodies are JSON. */
export const JSON_ROUTES = [
  ...messageRoutes,
  ...modelRoutes,
  ...providerRoutes,
  ...agentRoutes,
  ...environmentRoutes,
  ...sessionRoutes,
  ...filmRoutes,
  ...resourceRoutes,
  ...eventRoutes,
  ...blobRoutes,
  ...sandboxRoutes,
  ...sandboxPoolRoutes,
  ...snapshotRoutes,
  ...screenRecordingRoutes,
  ...watchingRoutes,
  ...workflowRoutes,
  ...keyRoutes,
  ...systemRoutes,
  ...formSchemaRoutes,
];

export const AGENT_ROUTES = [...JSON_ROUTES, ...STREAMED_ROUTES, ...sandboxPoolRegistration];

export type { PathNames };

type Declared = (typeof INFERENCE_ROUTES | typeof AGENT_ROUTES)[number];

/** For clients in TypeScript: the keys of all routes, e.g. `GET /v1/agents/{id}`. */
export type ApiKey = Declared['key'];

/** What the route of a key is declared with. */
type Of<K extends ApiKey, R = Declared> =
  R extends Route<never, infer Keys, infer T> ? (K extends Keys ? T : never) : never;

/** What is answered under a key. */
export type ApiAnswer<K extends ApiKey> = K extends ApiKey ? AnswerValue<Of<K>['answer']> : never;

/** The JSON that is sent under a key; never where none is. */
export type ApiBody<K extends ApiKey> = Of<K> extends Declaration<Answer, infer _, infer I> ? I : never;

/** The parameters of the query under a key. */
export type ApiQuery<K extends ApiKey> =
  Of<K> extends { readonly query?: infer Q } ? { readonly [F in keyof Q]?: string } : never;
