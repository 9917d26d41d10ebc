import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { RawImage } from '../../images/raw-image.ts';
import type { UnpackedWork, PackedImage, Work } from './messages.ts';

/** Moves an image's pixels into the queue of a port. */
export function packImage({ width, height, channels, data }: RawImage): PackedImage {
  const { port1, port2 } = new MessageChannel();
  const { byteLength } = data;
  port1.postMessage(data, [data.buffer as ArrayBuffer]);
  // The message stays in the other port's queue.
  port1.close();
  return { width, height, channels, byteLength, pixels: port2 };
}

/** Takes an image's pixels out of the port, which can be done once. */
export function unpackWork(work: Work): UnpackedWork {
  if (work.type === 'infer') return work;
  const { pixels, width, height, channels } = work.image;
  const received = receiveMessageOnPort(pixels) as { readonly message: RawImage['data'] } | undefined;
  pixels.close();
  if (received === undefined) throw new Error('an image came without its pixels');
  return { ...work, image: { width, height, channels, data: received.message } };
}

/** Frees the pixels of work that will not be done. */
export function discardWork(work: Work | undefined): void {
  if (work?.type === 'analyze') work.image.pixels.close();
}
