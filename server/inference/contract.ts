import { z } from 'zod';
import type { Box, Classification, Detection, TextLine, Timings } from '@steadyhand/inference';
import { named } from '../routing/components.ts';
import type { DeepReadonly } from '../routing/route.ts';
import { count } from '../routing/shapes.ts';

/** What `/analyze` answers. Boxes are in pixels of the image after its EXIF rotation. */

const score = z.number().min(0).max(1);
const ms = z.number().min(0);

const box = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe('x1, y1, x2, y2 in pixels of the image, clipped to it') satisfies z.ZodType<Box>;

const detection = z.object({
  box,
  label: z.string(),
  class_id: z.int(),
  score,
}) satisfies z.ZodType<Detection>;

const textLine = z.object({
  text: z.string(),
  score,
  box,
  polygon: z
    .array(z.tuple([z.number(), z.number()]))
    .describe('The corners, clockwise from the top left, in pixels of the image'),
  words: z.exactOptional(
    z.array(z.object({ text: z.string(), box })).describe('From left to right, with `lines=words`'),
  ),
}) satisfies z.ZodType<Pick<TextLine, 'text' | 'score' | 'box' | 'polygon'>>;

const classification = z.object({
  label: z.string(),
  class_id: z.int(),
  score: z.number(),
}) satisfies z.ZodType<Classification>;

export const datatype = z.enum([
  'BOOL',
  'UINT8',
  'UINT16',
  'UINT32',
  'UINT64',
  'INT8',
  'INT16',
  'INT32',
  'INT64',
  'FP16',
  'FP32',
  'FP64',
  'BYTES',
]);

const tensor = z.object({
  name: z.string(),
  datatype,
  shape: z.array(count),
  data: z.exactOptional(
    z
      .array(z.union([z.number(), z.boolean(), z.string(), z.null()]))
      .describe('Row-major; null for what is not finite'),
  ),
  data_base64: z.exactOptional(z.string().describe('Little endian, with `encoding=base64`')),
});

const tensorStats = z.object({
  name: z.string(),
  datatype,
  shape: z.array(count),
  min: z.number().nullable(),
  max: z.number().nullable(),
  mean: z.number().nullable(),
});
export type TensorStatsAnswer = DeepReadonly<z.output<typeof tensorStats>>;

const timings = z.object({
  decode_ms: ms,
  queue_ms: ms,
  preprocess_ms: ms,
  inference_ms: ms,
  postprocess_ms: ms,
  total_ms: ms,
}) satisfies z.ZodType<Timings>;

export const analysis = z.object({
  model: z.string(),
  image: z.object({ width: z.int(), height: z.int() }).describe('As decoded, after the EXIF rotation'),
  detections: z.exactOptional(z.array(detection).describe('Best first; text has the label `text`')),
  lines: z.exactOptional(z.array(textLine).describe('Of models that read text')),
  classes: z.exactOptional(z.array(classification).describe('Of `classify` models, best first')),
  outputs: z.exactOptional(
    z
      .union([z.array(tensor), z.array(tensorStats)])
      .describe('Of `tensor` models and with `output=raw`: the tensors; with `output=stats`: their figures'),
  ),
  timings,
});
export type AnalyzeAnswer = DeepReadonly<z.output<typeof analysis>>;

const words = z.array(z.string());

export const modelState = z.enum(['loading', 'ready', 'refused', 'unloaded']);

export const modelCard = z.object({
  model: z.string(),
  version: z.string(),
  state: modelState,
  reason: z.string().nullable(),
  default: z.boolean(),
  kind: z.enum(['onnx', 'ocr']),
  task: z.string().nullable(),
  layout: z.string().nullable(),
  labels: count.nullable(),
  input: z.object({ width: z.int(), height: z.int(), channels: z.int() }).nullable(),
  thresholds: z.object({ score: z.number(), iou: z.number(), max: z.int() }).nullable(),
  request: z.object({
    method: z.literal('POST'),
    path: z.string(),
    content_type: z.literal('multipart/form-data'),
    file_field: z.literal('file'),
    formats: words,
    max_bytes: z.int(),
    max_pixels: z.int(),
    output: words,
    encoding: words,
    decode: words,
  }),
});
export type ModelCard = DeepReadonly<z.output<typeof modelCard>>;

named({ detection, textLine, classification, tensor, tensorStats, timings, analysis, modelCard });
