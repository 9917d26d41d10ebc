import { parentPort } from 'node:worker_threads';
import { decodeImage } from '../../images/decode-image.ts';
import { loadSharp } from '../../images/sharp.ts';
import { serializeError } from '../worker/serialized-error.ts';
import { packImage } from '../worker/packed-image.ts';
import type { FromDecoder, ToDecoder } from './image-decoder.ts';

const port = parentPort;
if (port === null) throw new Error('this is the entry of a worker thread');
await loadSharp();

const running = new Map<number, AbortController>();
let ending = false;

port.on('message', (message: ToDecoder) => {
  if (message.type === 'decode') {
    const { id, bytes, options } = message;
    const stop = new AbortController();
    running.set(id, stop);
    void decode(id, bytes, { ...options, signal: stop.signal });
  } else if (message.type === 'cancel') running.get(message.id)?.abort();
  else {
    ending = true;
    endWhenIdle();
  }
});

async function decode(id: number, ...call: Parameters<typeof decodeImage>): Promise<void> {
  try {
    const { original, ...raw } = await decodeImage(...call);
    const image = packImage(raw);
    port?.postMessage({ type: 'done', id, decoded: { image, original } } satisfies FromDecoder, [
      image.pixels,
    ]);
  } catch (error) {
    port?.postMessage({ type: 'failed', id, error: serializeError(error) } satisfies FromDecoder);
  }
  running.delete(id);
  endWhenIdle();
}

/** Ends the thread, but not while the image library works for it and would answer to nobody. */
function endWhenIdle(): void {
  if (ending && running.size === 0) process.exit(0);
}
