import { ReplyTooLargeError } from '../api/errors.ts';

/** Bytes of one answer at most: 128,000 tokens, each in an event of its own, take servers up to 40 MiB. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * `fetch` whose answers end in a ReplyTooLargeError, and their connections with them, when they are longer than any reply is. The
 * bytes are passed on as they are read: a slow reader slows the upstream down as before.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(bytes, controller) {
        size += bytes.byteLength;
        if (size > ANSWER_BYTES) throw new ReplyTooLargeError("the upstream's answer", ANSWER_BYTES);
        controller.enqueue(bytes);
      },
    },
    { highWaterMark: 1 },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
};
