import { z } from 'zod';
import { ModelRefusedError } from '../common/errors.ts';
import { LAYOUTS, TASKS } from './model-spec.ts';

/** A side of a model's input in pixels. */
const side = z.int().min(1).max(16_384);
const perChannel = z.union([z.number(), z.array(z.number()).min(1).max(16)], {
  error: 'expected a number or a list of numbers, one a channel',
});
const notZero = (value: number | readonly number[]): boolean =>
  (typeof value === 'number' ? [value] : value).every((item) => item !== 0);
const fraction = z.number().min(0).max(1);

const schema = z.strictObject({
  task: z.enum(TASKS).exactOptional(),
  layout: z.enum(LAYOUTS).exactOptional(),
  labels: z.array(z.string()).min(1).max(100_000).exactOptional(),
  input: z.strictObject({ width: side, height: side }).exactOptional(),
  read: z.enum(['color', 'unchanged']).exactOptional(),
  color: z.enum(['bgr', 'rgb']).exactOptional(),
  scale: perChannel.exactOptional(),
  mean: perChannel.exactOptional(),
  std: perChannel
    .refine(notZero, { error: 'expected numbers other than 0: pixels are divided by it' })
    .exactOptional(),
  fit: z.enum(['stretch', 'letterbox']).exactOptional(),
  align: z.enum(['center', 'top-left']).exactOptional(),
  pad: z.number().exactOptional(),
  score_threshold: fraction.exactOptional(),
  iou_threshold: fraction.exactOptional(),
  max_detections: z.int().min(1).max(100_000).exactOptional(),
  instances: z.int().min(1).max(256).exactOptional(),
  fold: z.boolean().exactOptional(),
});

/** `models/<name>.json` says what the model file does not. Every field is optional; see docs/models.md. */
export type Sidecar = Readonly<z.infer<typeof schema>>;

export const SIDECAR_FIELDS: readonly string[] = Object.keys(schema.shape);

/**
 * @param text the sidecar file's content
 * @throws {ModelRefusedError} naming the field and what was expected
 */
export function parseSidecar(text: string): Sidecar {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ModelRefusedError(`sidecar: not valid JSON (${(error as Error).message})`, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ModelRefusedError(`sidecar: ${parsed.error.issues.map(explain).join('; ')}`);
}

function explain(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${[...issue.path, key].join('.')}"`).join(', ');
    const known = field === 'input' ? 'width, height' : SIDECAR_FIELDS.join(', ');
    return `unknown field ${names}; known are ${known}`;
  }
  const said = `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  return field === '' ? said : `${field}: ${said}`;
}
