export { EngineUnavailableError } from './connection/engine-unavailable-error.ts';
export type { Engine, EngineKind } from './connection/engine.ts';
export type { EngineKey } from './embedded/rpc/access.ts';
export type { TlsListener } from './embedded/rpc/listeners.ts';
export { copyEngine } from './embedded/persistence/copy-engine.ts';
export { startEmbeddedEngine } from './embedded/start-embedded-engine.ts';
export { ensureSearchAttributes } from './search-attributes.ts';
export { type EngineAccess, startEngine } from './start-engine.ts';
