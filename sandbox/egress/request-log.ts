import { appendFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import type { NetworkRequest } from '@steadyhand/contracts';

type Begun = Pick<NetworkRequest, 'at' | 'host' | 'port' | 'method'>;
type Ended = Pick<NetworkRequest, 'verdict' | 'reason' | 'bytes_sent' | 'bytes_received' | 'duration_ms'>;
type Line = ({ readonly begun: number } & Begun) | ({ readonly ended: number | null } & NetworkRequest);

const KEPT = 5_000;
const CUT_SHORT = 'the daemon ended before the connection did';

/**
 * Keeps the requests of a sandbox in a file of JSON lines beside its ledger. A connection is written when it begins, so
 * one that ended with a killed daemon is an entry all the same. The last 5,000 to 10,000 are kept, in two alternating
 * files. A line is written without waiting for the disk: it outlives the daemon, not a power cut.
 */
export class RequestLog {
  readonly #path: string;
  #entries: NetworkRequest[] = [];
  #last = 0;
  #opened = 0;
  #inFile = 0;
  #torn = false;
  readonly #open = new Map<number, Begun>();

  /** Throws when the files cannot be read. */
  constructor(path: string) {
    this.#path = path;
    for (const file of [`${path}.1`, path]) this.#read(file);
    for (const [id, begun] of this.#open) {
      this.end(id, {
        verdict: 'allowed',
        reason: CUT_SHORT,
        bytes_sent: 0,
        bytes_received: 0,
        duration_ms: 0,
        ...begun,
      });
    }
  }

  /** Begins a request and returns its id for `end`. */
  begin(begun: Begun): number {
    this.#opened += 1;
    this.#open.set(this.#opened, begun);
    this.#write({ begun: this.#opened, ...begun });
    return this.#opened;
  }

  /** Ends a request that was begun, once. */
  end(id: number, ended: Ended): void {
    const begun = this.#open.get(id);
    if (begun === undefined) return;
    this.#open.delete(id);
    this.#last += 1;
    const { verdict, reason, bytes_sent, bytes_received, duration_ms } = ended;
    const { at, host, port, method } = begun;
    const entry = { number: this.#last, at, host, port, method };
    this.#keep({ ...entry, verdict, reason, bytes_sent, bytes_received, duration_ms });
    this.#write({ ended: id, ...(this.#entries.at(-1) as NetworkRequest) });
  }

  /** Returns entries with numbers above `after`, oldest first; `last` is the newest number there is. */
  after(after: number, limit: number): { readonly data: readonly NetworkRequest[]; readonly last: number } {
    const first = this.#entries.findIndex(({ number }) => number > after);
    return { data: first < 0 ? [] : this.#entries.slice(first, first + limit), last: this.#last };
  }

  #keep(entry: NetworkRequest): void {
    this.#entries.push(entry);
    if (this.#entries.length > 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
  }

  /** A full disk must not end the daemon, so the entry is then kept in memory only. */
  #write(line: Line): void {
    try {
      // A line that was cut short must not be joined with this one.
      appendFileSync(this.#path, `${this.#torn ? '\n' : ''}${JSON.stringify(line)}\n`, { mode: 0o600 });
      this.#torn = false;
      this.#inFile += 1;
      if (this.#inFile < 2 * KEPT) return;
      renameSync(this.#path, `${this.#path}.1`);
      this.#inFile = 0;
      for (const [id, begun] of this.#open) this.#write({ begun: id, ...begun });
    } catch {
      // The next line tries again.
      this.#torn = true;
    }
  }

  #read(file: string): void {
    this.#inFile = 0;
    if (!existsSync(file)) return;
    const content = readFileSync(file, 'utf8');
    this.#torn = content !== '' && !content.endsWith('\n');
    for (const text of content.split('\n')) {
      const line = parsed(text);
      if (line === null) continue;
      this.#inFile += 1;
      if ('begun' in line) {
        const { begun, ...rest } = line;
        this.#opened = Math.max(this.#opened, begun);
        this.#open.set(begun, rest);
      } else {
        const { ended, ...entry } = line;
        this.#open.delete(ended ?? 0);
        this.#last = Math.max(this.#last, entry.number);
        this.#keep(entry);
      }
    }
  }
}

/** Returns null for an empty line and for one that a crash cut short. */
function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}
