import type { Readable, Writable } from 'node:stream';
import {
  type Guest,
  GuestCallError,
  GuestFileError,
  type GuestFiles,
  type RunOptions,
} from '../../guest-protocol/guest.ts';
import type { GuestShell } from '../../guest-protocol/shell.ts';
import {
  FrameReader,
  type GuestMethod,
  type GuestMethods,
  type GuestReply,
  MAX_FRAME_BYTES,
  encodeFrame,
} from '../../guest-protocol/wire.ts';

/** The guest has ended, and with it every program inside. */
export class GuestGoneError extends Error {
  override readonly name = 'GuestGoneError';
}

interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The daemon's end of the pipes to the guest. */
export class GuestClient implements Guest {
  readonly files: GuestFiles;
  readonly shell: GuestShell;
  /** Resolves when the guest accepts calls; rejects when it ended first. */
  readonly ready: Promise<void>;
  /** Resolves when the pipe is closed. */
  readonly gone: Promise<void>;

  readonly #output: Writable;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  #ended = false;
  #announceReady: () => void = () => undefined;
  #announceGone: () => void = () => undefined;

  constructor(line: { readonly input: Readable; readonly output: Writable }) {
    this.#output = line.output;
    this.gone = new Promise((resolve) => (this.#announceGone = resolve));
    this.ready = new Promise((resolve, reject) => {
      this.#announceReady = resolve;
      void this.gone.then(() => reject(new GuestGoneError('the guest ended before it was ready')));
    });
    this.ready.catch(() => undefined);
    const reader = new FrameReader();
    line.input.on('data', (chunk: Buffer) => {
      try {
        for (const message of reader.push(chunk)) this.#receive(message as GuestReply);
      } catch {
        // Invalid frames do not come from our guest.
        this.#end();
      }
    });
    line.input.once('close', () => this.#end());
    line.input.once('error', () => this.#end());
    line.output.on('error', () => this.#end());
    this.files = this.#fileMethods();
    this.shell = {
      run: (request, signal) => this.call('shellRun', request, signal),
      restart: async () => {
        await this.call('shellRestart', {});
      },
    };
  }

  async run(argv: readonly string[], { signal, ...options }: RunOptions = {}): ReturnType<Guest['run']> {
    const result = await this.call('run', { argv, ...options }, signal);
    return { ...result, stdout: fromBase64(result.stdout), stderr: fromBase64(result.stderr) };
  }

  async launch(argv: readonly string[], options: Parameters<Guest['launch']>[1] = {}): Promise<number> {
    return (await this.call('launch', { argv, ...options })).pid;
  }

  /** Makes a call. An abort asks the guest to stop it, and the guest's answer is still awaited. */
  call<M extends GuestMethod>(
    method: M,
    params: GuestMethods[M]['params'],
    signal?: AbortSignal,
  ): Promise<GuestMethods[M]['result']> {
    if (this.#ended) return Promise.reject(new GuestGoneError('the computer inside the sandbox has stopped'));
    this.#lastId += 1;
    const id = this.#lastId;
    const frame = encodeFrame({ id, method, params });
    if (frame.length > MAX_FRAME_BYTES) {
      return Promise.reject(new GuestCallError('EFBIG', `a request of ${frame.length} bytes is too large`));
    }
    const cancel = (): void => {
      this.#output.write(encodeFrame({ cancel: id }));
    };
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#output.write(frame);
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    });
    return answer.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<
      GuestMethods[M]['result']
    >;
  }

  #receive(message: GuestReply): void {
    if ('ready' in message) {
      this.#announceReady();
      return;
    }
    const call = this.#calls.get(message.id);
    this.#calls.delete(message.id);
    if (call === undefined) return;
    if ('result' in message) {
      call.resolve(message.result);
      return;
    }
    const { code, message: text, path } = message.error;
    call.reject(path === undefined ? new GuestCallError(code, text) : new GuestFileError(code, path, text));
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#announceGone();
    const error = new GuestGoneError('the computer inside the sandbox has stopped');
    for (const { reject } of this.#calls.values()) reject(error);
    this.#calls.clear();
  }

  #fileMethods(): GuestFiles {
    return {
      stat: (path) => this.call('stat', { path }),
      read: async (path, maxBytes) => {
        const { data } = await this.call('read', { path, ...(maxBytes === undefined ? {} : { maxBytes }) });
        return fromBase64(data);
      },
      write: async (path, data) => {
        const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
        await this.call('write', { path, data: bytes.toString('base64') });
      },
      walk: async (path, depth) => (await this.call('walk', { path, depth })).paths,
    };
  }
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
