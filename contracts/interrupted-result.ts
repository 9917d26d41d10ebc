/** The result that the model gets for a tool use that was stopped before it had one. The reference has the same words. */
export const INTERRUPTED_RESULT = 'human stopped or interrupted tool execution';
