export type { ApiAnswer, ApiBody, ApiKey, ApiQuery, PathNames } from './api.ts';
export type { Access } from './auth/access.ts';
export { type ClientKey, clientKey, DEFAULT_KEY_NAME, type KeyLimits } from './auth/client-key.ts';
export { createScrub } from './auth/redaction.ts';
export { type AccessChoice, accessFor } from './auth/stored-key.ts';
export { WORKFLOW_ACCESS } from './auth/workflow-access.ts';
export { createServer } from './create-server.ts';
export type { Scrub } from './http/scrub.ts';
export { createLogger } from './log.ts';
export type { Health, StoreHealth } from './routes/health.ts';
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
