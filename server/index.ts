export type { ApiAnswer, ApiBody, ApiKey, ApiQuery, PathNames } from './api.ts';
export { type Access, isLoopback } from './auth/access.ts';
export { type ClientKey, clientKey, DEFAULT_KEY_NAME, type KeyLimits } from './auth/client-key.ts';
export { createScrub } from './auth/redaction.ts';
export { type AccessChoice, accessFor } from './auth/stored-key.ts';
export { WORKFLOW_ACCESS } from './auth/workflow-access.ts';
export { createServer } from './create-server.ts';
export { createInferenceServer } from './inference-server.ts';
export { createProbeApp } from './health/probe-app.ts';
export { Readiness, type ReadinessCheck } from './health/readiness.ts';
export { createListener, type Listener } from './http/listener.ts';
export type { Scrub } from './http/scrub.ts';
export type { InferenceAddress } from './inference/forward.ts';
export type { KnownModels } from './deps.ts';
export { createLogger } from './log.ts';
export type { Health, StoreHealth } from './routes/health.ts';
export { figuresOf } from './routes/metrics.ts';
export type { ServerLimit } from './routes/key.ts';
export type { SystemService } from './routes/system/shapes.ts';
export { sandboxDamaged, sandboxLost } from './routes/sandbox-damaged.ts';
export type { SandboxPoolService } from './routes/sandbox-pool.ts';
export type {
  BatchRuntime,
  SandboxFileService,
  SandboxService,
  ScreenRecordingService,
  SessionRuntime,
  SnapshotService,
  WatchingService,
} from './routes/services.ts';
