/**
 * The ground floor: what more than one package says to another. Types, the tables of error codes, and nothing that acts.
 */
export * from './action.ts';
export * from './api-error.ts';
export * from './batch-activities.ts';
export * from './guarded-action.ts';
export * from './network-request.ts';
export * from './sandbox-error.ts';
export * from './sandbox.ts';
export * from './screen-recording.ts';
export * from './session-activities.ts';
export * from './snapshot.ts';
export * from './takeover.ts';
