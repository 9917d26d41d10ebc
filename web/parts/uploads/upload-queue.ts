import { messageOf } from '../../client/request.ts';
import { createStore, type Store } from '../../client/store.ts';

/** One file on its way to the server. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  /** Bytes so far; those around the file may make it a little more than its size. */
  readonly sent: number;
  readonly problem?: string;
}

/** Sends one file. */
export type SendFile = (
  file: File,
  on: { readonly onProgress: (bytes: number) => void; readonly signal: AbortSignal },
) => Promise<unknown>;

/** How many files are sent at once. */
const AT_ONCE = 2;

/** Files that are sent two at a time, in the order in which they came. One that fails stays, and can be sent again. */
export class UploadQueue {
  readonly uploads: Store<readonly Upload[]> = createStore<readonly Upload[]>([]);
  readonly #send: SendFile;
  readonly #onDone: () => void;
  readonly #stops = new Map<number, AbortController>();
  #count = 0;

  /** @param onDone called after each file that has arrived */
  constructor(send: SendFile, onDone: () => void) {
    this.#send = send;
    this.#onDone = onDone;
  }

  add(files: readonly File[]): void {
    const added = files.map((file): Upload => ({ id: ++this.#count, file, state: 'waiting', sent: 0 }));
    this.uploads.set([...this.uploads.get(), ...added]);
    this.#begin();
  }

  retry(id: number): void {
    this.#change(id, ({ file }) => ({ id, file, state: 'waiting', sent: 0 }));
    this.#begin();
  }

  /** Takes a file off the list; one that is being sent is stopped. */
  remove(id: number): void {
    this.#stops.get(id)?.abort();
    this.uploads.set(this.uploads.get().filter((each) => each.id !== id));
    this.#begin();
  }

  /** Takes those off the list that have arrived. */
  clear(): void {
    this.uploads.set(this.uploads.get().filter(({ state }) => state !== 'done'));
  }

  #begin(): void {
    const all = this.uploads.get();
    const free = AT_ONCE - all.filter(({ state }) => state === 'sending').length;
    for (const { id, file } of all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
      void this.#run(id, file);
  }

  async #run(id: number, file: File): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(id, stop);
    this.#change(id, (before) => ({ ...before, state: 'sending' }));
    try {
      await this.#send(file, {
        signal: stop.signal,
        onProgress: (sent) => this.#change(id, (before) => ({ ...before, sent })),
      });
      this.#change(id, (before) => ({ ...before, state: 'done', sent: file.size }));
      this.#onDone();
    } catch (error) {
      this.#change(id, (before) => ({ ...before, state: 'failed', problem: messageOf(error) }));
    } finally {
      this.#stops.delete(id);
      this.#begin();
    }
  }

  #change(id: number, next: (before: Upload) => Upload): void {
    this.uploads.set(this.uploads.get().map((each) => (each.id === id ? next(each) : each)));
  }
}
