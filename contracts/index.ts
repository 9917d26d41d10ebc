/** What the packages exchange with each other: types, the tables of error codes, and nothing that performs anything. */
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
