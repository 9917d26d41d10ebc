/** The workflow types that the worker registers. */
export { batch } from './batch/index.ts';
export { session } from './session/index.ts';
export type { BatchStart } from './batch/batch-start.ts';
export type { SessionContext, SessionInput } from './session/context.ts';
export type { SessionEvent } from './session/events.ts';
