import { ReplyTooLargeError } from '../api/errors.ts';

/** The limit for an answer in bytes. Servers send up to 40 MiB for 128,000 tokens with an event for each. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * A `fetch` whose answers fail with a ReplyTooLargeError, and whose connections end, when they are longer than any
 * reply. Bytes pass as they are read, so a slow reader still slows the upstream down.
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
