/** What the packages exchange with each other: types, the tables of error codes, and nothing that performs anything. */
export * from './action.ts';
export * from './api-error.ts';
export * from './batch-activities.ts';
export * from './interrupted-result.ts';
export * from './sandbox.ts';
export * from './sandbox-error.ts';
export * from './session-activities.ts';
export * from './takeover.ts';
export * from './tracing.ts';
