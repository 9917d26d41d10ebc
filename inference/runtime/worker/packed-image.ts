import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import type { RawImage } from '../../images/raw-image.ts';
import type { UnpackedWork, PackedImage, Work } from './messages.ts';

/** The image without its pixels, which are handed over to the port. */
export function packImage({ width, height, channels, data }: RawImage): PackedImage {
  const { port1, port2 } = new MessageChannel();
  const { byteLength } = data;
  port1.postMessage(data, [data.buffer as ArrayBuffer]);
  // What was sent stays in the other one's queue.
  port1.close();
  return { width, height, channels, byteLength, pixels: port2 };
}

/** Takes the pixels out. Once only. */
export function unpackWork(work: Work): UnpackedWork {
  if (work.type === 'infer') return work;
  const { pixels, width, height, channels } = work.image;
  const received = receiveMessageOnPort(pixels) as { readonly message: RawImage['data'] } | undefined;
  pixels.close();
  if (received === undefined) throw new Error('an image came without its pixels');
  return { ...work, image: { width, height, channels, data: received.message } };
}

/** Lets go of work that nobody will do. */
export function discardWork(work: Work | undefined): void {
  if (work?.type === 'analyze') work.image.pixels.close();
}
