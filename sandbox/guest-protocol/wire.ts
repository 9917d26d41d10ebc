import type { GuestFileKind } from './guest.ts';
import type { GlobRequest, GlobResult } from './glob.ts';
import type { ShellRequest, ShellResult } from './shell.ts';
import type { TreeMethods } from './tree.ts';
import type { FetchedPage } from './fetched-page.ts';

/**
 * The protocol between the daemon and the guest over the guest's standard input and output: frames of a 4-byte
 * big-endian length and that many bytes of JSON. Bytes travel as base64. The guest runs with the agent's rights, so the
 * daemon believes nothing it says beyond what the agent could do anyway.
 */

/** The most bytes of a frame with its header: room for a 32 MiB file as base64. A larger one ends the connection. */
export const MAX_FRAME_BYTES = 48 * 1024 * 1024;

/** Every call the daemon can make, with its parameters and its result. */
export interface GuestMethods extends TreeMethods {
  run: {
    params: {
      argv: readonly string[];
      stdin?: string;
      env?: Readonly<Record<string, string>>;
      cwd?: string;
      timeoutMs?: number;
      stopAfterBytes?: number;
    };
    result: { code: number | null; stdout: string; stderr: string; timedOut: boolean };
  };
  launch: {
    params: { argv: readonly string[]; env?: Readonly<Record<string, string>>; cwd?: string };
    result: { pid: number };
  };
  stat: { params: { path: string }; result: { kind: GuestFileKind; size: number } | null };
  read: { params: { path: string; maxBytes?: number }; result: { data: string } };
  write: { params: { path: string; data: string }; result: null };
  walk: { params: { path: string; depth: number }; result: { paths: readonly string[] } };
  /** Makes a path absolute; a relative one starts at the working folder. */
  absolute: { params: { path: string }; result: { path: string } };
  glob: { params: GlobRequest; result: GlobResult };
  fetchPage: { params: { url: string }; result: FetchedPage };
  shellRun: { params: ShellRequest; result: ShellResult };
  shellRestart: { params: Record<string, never>; result: null };
  startDisplay: {
    params: { width: number; height: number };
    /** `missing` names programs that are not installed. The display runs only when `number` is set. */
    result: {
      number: number | null;
      windowManager: string | null;
      /** Whether a panel was started. */
      panel?: boolean;
      missing: readonly string[];
      reason?: string;
    };
  };
  /** Starts the VNC server unless it runs. `socket` is its name beside the X server's socket. */
  startVnc: { params: Record<string, never>; result: { socket: string | null; reason?: string } };
  stopVnc: { params: Record<string, never>; result: null };
}

export type GuestMethod = keyof GuestMethods;

/** A message of the daemon: a call, or the request to stop one that is under way. */
export type GuestRequest =
  | { readonly id: number; readonly method: GuestMethod; readonly params: unknown }
  | { readonly cancel: number };

/** A message of the guest: the answer to a call, or that it is ready for calls. */
export type GuestReply =
  | { readonly ready: true }
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number;
      readonly error: { readonly code: string; readonly message: string; readonly path?: string };
    };

/** Encodes one message as a frame. */
export function encodeFrame(message: GuestRequest | GuestReply): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  const frame = Buffer.allocUnsafe(body.length + 4);
  frame.writeUInt32BE(body.length, 0);
  body.copy(frame, 4);
  return frame;
}

/** Splits a byte stream into frames. It throws on a frame above the limit or one that is not JSON. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** Returns the messages that `chunk` completes, in order. */
  push(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const messages: unknown[] = [];
    for (;;) {
      const header = this.#peek(4);
      if (header === null) return messages;
      const size = header.readUInt32BE(0);
      if (size + 4 > MAX_FRAME_BYTES)
        throw new RangeError(`frame of ${size} bytes is above ${MAX_FRAME_BYTES}`);
      if (this.#length < size + 4) return messages;
      const frame = this.#take(size + 4);
      messages.push(JSON.parse(frame.toString('utf8', 4)));
    }
  }

  #peek(bytes: number): Buffer | null {
    if (this.#length < bytes) return null;
    const first = this.#chunks[0];
    if (first !== undefined && first.length >= bytes) return first;
    this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? null;
  }

  #take(bytes: number): Buffer {
    const all = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const rest = all.subarray(bytes);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return all.subarray(0, bytes);
  }
}
