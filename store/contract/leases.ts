/**
 * Rights that one process has at a time, such as to ask a model in the name of one step. A process that dies, or is silent for
 * some seconds, has none any more, so a lease keeps work from being done twice and guards nothing that would be wrong twice.
 */
export interface Leases {
  /** Takes the key for this process, which may have it already. False while another process has it. */
  take(key: string): Promise<boolean>;
  /** Gives the key back, where this process has it. */
  release(key: string): Promise<void>;
}
