import { z } from 'zod';
import { PictureUnreadableError, ProviderOverloadedError, type TextRecognizer } from '@steadyhand/messages';
import type { InferenceAddress } from '@steadyhand/server';
import type { RemoteModels } from './remote-models.ts';
import { decodedPixels, MODEL } from './screen-reader.ts';

const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const analysis = z.object({
  lines: z
    .array(
      z.object({
        text: z.string(),
        score: z.number(),
        box,
        words: z.exactOptional(z.array(z.object({ text: z.string(), box }))),
      }),
    )
    .optional(),
});

/** A text recognizer for scripts that uses the image models of another process. Pictures are decoded in this one. */
export function createRemoteReader(
  service: InferenceAddress,
  models: Pick<RemoteModels, 'models' | 'refresh'>,
): Required<TextRecognizer> {
  return {
    async read(bytes, { signal } = {}) {
      const answer = await send(service, bytes, signal);
      if (answer.ok) return analysis.parse(await answer.json()).lines ?? [];
      const message = await faultOf(answer);
      // There is no use in waiting for a refused model, because a person has to change its files.
      if (answer.status < 500 || (answer.status === 503 && (await isRefused(models))))
        throw new PictureUnreadableError(message);
      const seconds = Number(answer.headers.get('retry-after') ?? 1);
      throw new ProviderOverloadedError(`the screen could not be read: ${message}`, {
        retryAfterMs: (Number.isFinite(seconds) ? seconds : 1) * 1000,
      });
    },
    pixels: decodedPixels,
  };
}

async function send(
  { url, apiKey, timeoutMs }: InferenceAddress,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(bytes)]), 'screen');
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(`${url}/analyze?model=${MODEL}&lines=words`, {
      method: 'POST',
      body: form,
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new ProviderOverloadedError(`the screen could not be read: ${url} does not answer`, {
      retryAfterMs: 1000,
      cause: error,
    });
  }
}

/** The sentence in an answer of the inference API. */
async function faultOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : JSON.stringify(detail);
  } catch {
    return `status ${answer.status}`;
  }
}

async function isRefused(models: Pick<RemoteModels, 'models' | 'refresh'>): Promise<boolean> {
  await models.refresh().catch(() => undefined);
  return models.models().find(({ name }) => name === MODEL)?.state === 'refused';
}
