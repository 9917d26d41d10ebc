export type { ApiAnswer, ApiBody, ApiKey, ApiQuery, PathNames } from './api.ts';
export type { Access } from './auth/access.ts';
export { type ClientKey, DEFAULT_KEY_NAME, clientKey } from './auth/client-key.ts';
export { type AccessChoice, accessFor } from './auth/stored-key.ts';
export { createServer } from './create-server.ts';
export type { KeyLimits } from './limits/key-limits.ts';
export { createLogger } from './log.ts';
export { type Scrub, createScrub } from './redaction.ts';
export { sandboxDamaged } from './sandbox-damaged.ts';
export type {
  BatchRuntime,
  Health,
  SandboxFileService,
  SandboxPoolService,
  SandboxService,
  ScreenRecordingService,
  SessionRuntime,
  SnapshotService,
  StoreHealth,
  WatchingService,
} from './services.ts';
