/** One connection, or one plain HTTP request, that a program in a sandbox made or tried to make. */
export interface NetworkRequest {
  /** Counts this sandbox's requests from 1, in the order in which they ended; never given twice. */
  readonly number: number;
  /** When it began, as RFC 3339. */
  readonly at: string;
  readonly host: string;
  readonly port: number;
  /** `CONNECT`, or the HTTP method of a plain request. */
  readonly method: string;
  readonly verdict: 'allowed' | 'denied';
  /** Why it was denied, or how it failed; null when neither. */
  readonly reason: string | null;
  readonly bytes_sent: number;
  readonly bytes_received: number;
  readonly duration_ms: number;
}
