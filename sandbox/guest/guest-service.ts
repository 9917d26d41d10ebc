import { resolve as absolutePath } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { DisplayService } from './display-service.ts';
import { GuestFileError, type GuestFiles } from '../guest-protocol/guest.ts';
import { launchProgram, runProgram } from './program-service.ts';
import { findFiles } from './glob-service.ts';
import type { GuestShell } from '../guest-protocol/shell.ts';
import type { TreeService } from '../guest-protocol/tree.ts';
import type { VncService } from './vnc-service.ts';
import { fetchPage } from './fetch/fetch-page.ts';
import {
  FrameReader,
  type GuestMethod,
  type GuestMethods,
  type GuestReply,
  MAX_FRAME_BYTES,
  encodeFrame,
} from '../guest-protocol/wire.ts';
import { errorCode, errorText } from '../error-fields.ts';

interface GuestServices {
  readonly files: GuestFiles;
  readonly tree: TreeService;
  readonly shell: GuestShell;
  readonly display: DisplayService;
  readonly vnc: VncService;
}

type Handlers = {
  readonly [M in GuestMethod]: (
    params: GuestMethods[M]['params'],
    signal: AbortSignal,
  ) => Promise<GuestMethods[M]['result']>;
};

/** Answers the daemon's calls until the daemon closes the connection; then resolves. */
export function serveGuest(
  services: GuestServices,
  line: { readonly input: Readable; readonly output: Writable } | Duplex,
): Promise<void> {
  const { input, output } = 'input' in line ? line : { input: line, output: line };
  const handlers = handlersOf(services);
  const running = new Map<number, AbortController>();
  const send = (reply: GuestReply): void => {
    const frame = encodeFrame(reply);
    if (frame.length <= MAX_FRAME_BYTES || !('id' in reply)) output.write(frame);
    else
      send({
        id: reply.id,
        error: { code: 'EFBIG', message: `an answer of ${frame.length} bytes is too large` },
      });
  };

  const answer = async (id: number, method: GuestMethod, params: unknown): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      // The daemon is trusted to send what the method expects; it is the daemon that must doubt the guest.
      const handle = handlers[method] as (params: unknown, signal: AbortSignal) => Promise<unknown>;
      send({ id, result: await handle(params, controller.signal) });
    } catch (error) {
      send({ id, error: errorReply(error) });
    } finally {
      running.delete(id);
    }
  };

  const reader = new FrameReader();
  input.on('data', (chunk: Buffer) => {
    for (const message of reader.push(chunk)) {
      const request = message as { id: number; method: GuestMethod; params: unknown; cancel?: number };
      if (request.cancel !== undefined) running.get(request.cancel)?.abort();
      else void answer(request.id, request.method, request.params);
    }
  });
  send({ ready: true });
  return new Promise((resolve) => {
    input.once('close', resolve);
    input.once('end', resolve);
  });
}

function handlersOf({ files, tree, shell, display, vnc }: GuestServices): Handlers {
  return {
    ...tree,
    run: async ({ argv, ...options }, signal) => {
      const result = await runProgram(argv, { ...options, signal });
      return { ...result, stdout: base64(result.stdout), stderr: base64(result.stderr) };
    },
    launch: async ({ argv, ...options }) => ({ pid: await launchProgram(argv, options) }),
    stat: ({ path }) => files.stat(path),
    read: async ({ path, maxBytes }) => ({ data: base64(await files.read(path, maxBytes)) }),
    write: async ({ path, data }) => {
      await files.write(path, Buffer.from(data, 'base64'));
      return null;
    },
    walk: async ({ path, depth }) => ({ paths: await files.walk(path, depth) }),
    absolute: ({ path }) => Promise.resolve({ path: absolutePath(path) }),
    glob: (request, signal) => findFiles(request, signal),
    fetchPage: ({ url }, signal) => fetchPage(url, signal),
    shellRun: (request, signal) => shell.run(request, signal),
    shellRestart: async () => {
      await shell.restart();
      return null;
    },
    startDisplay: (size) => display.start(size),
    startVnc: () => vnc.start(),
    stopVnc: async () => {
      await vnc.stop();
      return null;
    },
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function errorReply(error: unknown): { code: string; message: string; path?: string } {
  if (error instanceof GuestFileError) return { code: error.code, message: error.message, path: error.path };
  return { code: errorCode(error) ?? 'EUNKNOWN', message: errorText(error) };
}
