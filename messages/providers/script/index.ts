/** The check of scripts by itself, small enough for a browser: what is wrong with one, line by line. */
export { scriptProblems } from './parse-script.ts';
export type { ScriptProblemError } from './script.ts';
