/** Every workflow type the worker knows. */
export { session } from './session/index.ts';
