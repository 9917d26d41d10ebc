import type { Request, Response } from 'express';
import { z } from 'zod';
import {
  decodeImage,
  DEFAULT_IMAGE_LIMITS,
  drawDetections,
  encodeImage,
  InferenceError,
  pngStream,
  type RawImage,
  renderVector,
} from '@steadyhand/inference';
import { isRecord } from '@steadyhand/messages';
import type { BodyReader } from '../body/body-reader.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { createPace } from '../http/pacing.ts';
import { queryOf } from '../http/query.ts';
import { sendStream } from '../http/send.ts';
import { routesOf } from '../routing/route.ts';
import { fileOf, readForm } from './analyze-request.ts';
import { RequestInvalidError } from './errors.ts';
import { readJsonBody } from './json-body.ts';
import type { Form } from './multipart.ts';
import { readQuery } from './read-query.ts';
import { Reading } from './validate.ts';
import { readDetections, readVectorRequest, type VectorRequest } from './vector-request.ts';
import { FORM, NUMBERS } from './vector-shapes.ts';

const FORMATS = ['png', 'jpeg', 'webp'] as const;
type Format = (typeof FORMATS)[number];
const query = { format: z.enum(FORMATS).default('png') };

export interface VectorImageDeps {
  readonly bodies: BodyReader;
  /** Of an image that is drawn over. */
  readonly maxPixels: number;
}

const route = routesOf<VectorImageDeps>()('Analyze', {});

/** `/vector_image`: numbers, or detections over an image, to a picture that is streamed as it is taken. */
export const vectorImageRoutes = [
  route('POST /vector_image', 'vector_image', 'Vector Image', {
    description:
      'A vector as a picture: numbers as pixels, detections as boxes on white, or, as a form, detections over an image.',
    query,
    body: { required: true, content: (components) => ({ ...NUMBERS(components), ...FORM(components) }) },
    answer: { content: () => Object.fromEntries(FORMATS.map((format) => [`image/${format}`, {}])) },
    errors: {
      400: 'no image that can be decoded, or no form',
      408: 'the body did not arrive in time',
      413: 'too many bytes, or too many pixels',
      415: 'an image format that is not allowed',
      422: undefined,
      503: 'too many uploads are under way',
    },
    handle: async (deps, { req, res }) => {
      const signal = goneSignal(res);
      const isForm = /^multipart\/form-data/i.test(req.headers['content-type'] ?? '');
      const { format, image } = isForm
        ? await overImage(req, res, deps, signal)
        : await fromVector(req, res, deps.bodies, signal);
      res.set('cache-control', 'no-store').type(format);
      // Lossy formats at their best: what was drawn is thin lines and small letters.
      const quality = 100;
      if (format === 'png') await sendStream(res, pngStream(image) as AsyncIterable<Uint8Array>);
      else await sendStream(res, [await encodeImage(image, { format, quality, signal })]);
    },
  }),
];

interface Picture {
  readonly format: Format;
  readonly image: RawImage;
}

/**
 * A form: `file` is the image, `detections` (JSON) what to draw over it; an answer of `/analyze` is taken as it is. Without
 * them the image comes back in the wanted format.
 */
async function overImage(
  req: Request,
  res: Response,
  { bodies, maxPixels }: VectorImageDeps,
  signal: AbortSignal,
): Promise<Picture> {
  const form = await readForm(req, res, bodies, signal);
  const reading = new Reading();
  const { format } = readQuery(query, queryOf(req), reading);
  const file = fileOf(form, reading);
  const detections = await detectionsOf(form, reading);
  const bytes = reading.done(file);
  const limits = { ...DEFAULT_IMAGE_LIMITS, maxPixels };
  const image = await decodeImage(bytes, { read: 'color', limits, signal });
  return { format, image: await drawDetections(image, detections, { inPlace: true }) };
}

async function detectionsOf({ fields }: Form, reading: Reading): Promise<ReturnType<typeof readDetections>> {
  const text = fields.get('detections');
  const loc = ['body', 'detections'];
  if (text === undefined) return [];
  const value = await readJsonBody(Buffer.from(text), createPace());
  return readDetections(isRecord(value) ? value['detections'] : value, loc, reading);
}

async function fromVector(
  req: Request,
  res: Response,
  bodies: BodyReader,
  signal: AbortSignal,
): Promise<Picture> {
  const body = await bodies.read(req, res);
  const reading = new Reading();
  const { format } = readQuery(query, queryOf(req), reading);
  if (body.length === 0) reading.missing(['body']);
  const request =
    body.length === 0 ? undefined : readVectorRequest(await contentOf(req, body, signal), reading);
  return { format, image: await draw(reading.done(request)) };
}

/** Without a JSON content type the body is a text, as in FastAPI, and a text is no vector. */
async function contentOf(req: Request, body: Buffer, signal: AbortSignal): Promise<unknown> {
  if (req.is(['json', '+json']) === false) return body.toString('utf8', 0, 200);
  return await readJsonBody(body, createPace(signal));
}

async function draw(request: VectorRequest): Promise<RawImage> {
  if (request.kind === 'detections') {
    const { width, height, detections } = request;
    const data = new Uint8Array(width * height * 3).fill(255);
    return await drawDetections({ width, height, channels: 3, data }, detections, { inPlace: true });
  }
  try {
    return await renderVector(request.values, request.options);
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    const loc = ['body', ...(error.field === undefined ? [] : [error.field])];
    throw new RequestInvalidError([
      { type: 'value_error', loc, msg: `Value error, ${error.message}`, input: null, ctx: { error: {} } },
    ]);
  }
}
