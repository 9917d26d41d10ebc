/**
 * What processes with the store tell each other right now. Nothing is kept, and what is told while a connection is down is lost, so
 * only what may get lost goes this way.
 */
export interface Relay {
  /** Tells all other processes. The text has `RELAY_BYTES` at most, in UTF-8. */
  send(topic: string, text: string): void;
  /** Calls the listener for what other processes tell under the topic. Returns the function that ends that. */
  hear(topic: string, listener: (text: string) => void): () => void;
}

/** PostgreSQL takes less than 8,000 bytes at a time, of which some are the sender's and the topic's. */
export const RELAY_BYTES = 7800;
