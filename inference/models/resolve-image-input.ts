import { ModelRefusedError } from '../common/errors.ts';
import type { TensorInfo } from '../common/tensor.ts';
import { imageSizeFrom } from './metadata.ts';
import type { OnnxFacts } from '../onnx/onnx-facts.ts';
import type { ImageInput } from '../preprocess/image-input.ts';
import { describeType } from './outputs.ts';
import type { Sidecar } from './sidecar.ts';

const DEFAULT_SIDE = 640;
/** A tensor of so many values takes a gigabyte. */
const MAX_VALUES = 268_435_456;

/**
 * Answers how an image becomes the first input, or why it cannot.
 *
 * @throws {ModelRefusedError} where the sidecar contradicts the file
 */
export function resolveImageInput(
  facts: OnnxFacts,
  sidecar: Sidecar,
): ImageInput | { readonly noImage: string } {
  const [input] = facts.inputs;
  if (input === undefined) return { noImage: 'the model has no inputs' };
  const { datatype, shape } = input;
  const text = `input "${input.name}" (${describeType(input)})`;
  if (datatype !== 'FP32' && datatype !== 'FP16' && datatype !== 'UINT8')
    return { noImage: `${text} takes other values than FP32, FP16 or UINT8` };
  const [batch = -1, depth = -1, height = -1, width = -1] = shape;
  if (shape.length !== 4) return { noImage: `${text} is not [1, channels, height, width]` };
  if (batch > 1 || batch === 0) return { noImage: `${text} takes ${batch} images at once` };
  if (depth > 4 || depth === 0 || (depth < 0 && width >= 1 && width <= 4))
    return { noImage: `${text} has its channels elsewhere than in second place` };
  const channels = depth < 0 ? 3 : depth;
  const read = sidecar.read ?? 'color';
  if (read === 'color' && channels !== 3)
    return {
      noImage: `${text} takes ${channels} channels where colour images have 3; the sidecar's "read": "unchanged" gives it images as they are`,
    };
  const size = {
    width: sideOf('width', width, input, facts, sidecar),
    height: sideOf('height', height, input, facts, sidecar),
  };
  if (size.width * size.height * channels > MAX_VALUES)
    return { noImage: `${text} is larger than an image may be` };
  const perChannel = (field: 'scale' | 'mean' | 'std', byDefault: number): readonly number[] => {
    const value = sidecar[field] ?? byDefault;
    if (typeof value === 'number') return Array.from({ length: channels }, () => value);
    if (value.length === channels) return value;
    throw new ModelRefusedError(
      `sidecar: ${field}: ${value.length} numbers for a model of ${channels} channels`,
    );
  };
  return {
    ...size,
    channels,
    datatype,
    read,
    color: sidecar.color ?? 'bgr',
    scale: perChannel('scale', 1),
    mean: perChannel('mean', 0),
    std: perChannel('std', 1),
    fit: sidecar.fit ?? 'stretch',
    align: sidecar.align ?? 'center',
    pad: sidecar.pad ?? 114,
  };
}

function sideOf(
  side: 'width' | 'height',
  fixed: number,
  input: TensorInfo,
  { metadata }: OnnxFacts,
  sidecar: Sidecar,
): number {
  const wanted = sidecar.input?.[side];
  if (fixed <= 0) return wanted ?? imageSizeFrom(metadata)?.[side] ?? DEFAULT_SIDE;
  if (wanted !== undefined && wanted !== fixed)
    throw new ModelRefusedError(
      `sidecar: input.${side}: ${wanted}, but the model's input "${input.name}" is ${fixed}`,
    );
  return fixed;
}
