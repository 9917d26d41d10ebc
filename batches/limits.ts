/** Bounds of a batch, as the API has them. */

/** Bytes of a batch's body. */
export const BATCH_BODY_BYTES = 256 * 1024 * 1024;
export const MAX_REQUESTS = 100_000;
/** Bytes of one request's `params`: as many as a request outside a batch may have. */
export const REQUEST_BYTES = 32 * 1024 * 1024;
/** The time from a batch's creation until its unanswered requests expire. */
export const LIFETIME_MS = 24 * 60 * 60 * 1000;
