/** Every workflow type the worker knows. */
export { batch } from './batch/index.ts';
export { session } from './session/index.ts';
