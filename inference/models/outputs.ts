import type { TensorInfo } from '../common/tensor.ts';

/** A tensor, or a file's declaration of one, where sizes of -1 vary and an empty shape means that it is not known. */
export type Shaped = Pick<TensorInfo, 'name' | 'datatype' | 'shape'>;

/** Answers an element type and a shape for an error message, such as `FP32 [1, 84, ?]`. */
export function describeType({ datatype, shape }: Omit<Shaped, 'name'>): string {
  return `${datatype} [${shape.map((size) => (size < 0 ? '?' : size)).join(', ')}]`;
}

type Named<T, Names extends string> = Readonly<Record<Names, T>>;

export function isFloat({ datatype }: Shaped): boolean {
  return datatype === 'FP32' || datatype === 'FP16' || datatype === 'FP64';
}

export function isWhole({ datatype }: Shaped): boolean {
  return datatype === 'INT64' || datatype === 'INT32';
}

/** Whether a shape has, or may have, one of these ranks. */
function hasRank({ shape }: Shaped, ...ranks: readonly number[]): boolean {
  return shape.length === 0 || ranks.includes(shape.length);
}

/** Answers a size counted from the end of the shape; -1 where it is not known. */
export function sizeAt({ shape }: Shaped, fromEnd: number): number {
  return shape.at(-fromEnd) ?? -1;
}

/** Whether a size counted from the end passes the test, or is not known. */
export function mayBe(output: Shaped, fromEnd: number, test: (size: number) => boolean): boolean {
  const size = sizeAt(output, fromEnd);
  return size < 0 || test(size);
}

/** Finds the output with all predictions, `[1, a, b]`: the first one of floats with three sizes. */
export function predictions<T extends Shaped>(outputs: readonly T[]): T | null {
  return outputs.find((output) => isFloat(output) && output.shape.length === 3) ?? lone(outputs);
}

/** Finds the output `[1, 1, height, width]`. */
export function probabilityMap<T extends Shaped>(outputs: readonly T[]): T | null {
  return outputs.find((output) => isFloat(output) && output.shape.length === 4) ?? lone(outputs);
}

/** Finds the output `[1, classes]` or `[1, classes, 1, 1]`. */
export function classScores<T extends Shaped>(outputs: readonly T[]): T | null {
  const fits = ({ shape }: Shaped): boolean =>
    shape.length === 2 || (shape.length === 4 && shape[2] === 1 && shape[3] === 1);
  return outputs.find((output) => isFloat(output) && fits(output)) ?? lone(outputs);
}

/** Finds RT-DETR's outputs `labels`, `boxes` and `scores`. */
export function labelsBoxesScores<T extends Shaped>(
  outputs: readonly T[],
): Named<T, 'labels' | 'boxes' | 'scores'> | null {
  const found = {
    labels: byName(outputs, 'labels'),
    boxes: byName(outputs, 'boxes'),
    scores: byName(outputs, 'scores'),
  };
  return complete(found) && isBoxes(found.boxes, 4) && isFloat(found.scores) ? found : null;
}

/** RF-DETR's outputs `dets` and `labels`. */
export function detsLabels<T extends Shaped>(outputs: readonly T[]): Named<T, 'boxes' | 'logits'> | null {
  const found = { boxes: byName(outputs, 'dets'), logits: byName(outputs, 'labels') };
  return complete(found) && areQueries(found) ? found : null;
}

/** Finds DETR's outputs `pred_boxes` and `logits`, which some exports of RT-DETR have too. */
export function predBoxesLogits<T extends Shaped>(
  outputs: readonly T[],
): Named<T, 'boxes' | 'logits'> | null {
  const found = { boxes: byName(outputs, 'pred_boxes'), logits: byName(outputs, 'logits', 'pred_logits') };
  return complete(found) && areQueries(found) ? found : null;
}

/** Finds the outputs of ONNX's NMS: `[n, 3]` of image, class and box, and the boxes and scores that it chose from. */
export function nmsSelection<T extends Shaped>(
  outputs: readonly T[],
  names: { readonly boxes: string; readonly scores: string } | undefined,
): Named<T, 'indices' | 'boxes' | 'scores'> | null {
  const rest = outputs.filter((output) => isFloat(output) && hasRank(output, 3));
  const boxes =
    rest.find(({ name }) => name === names?.boxes) ??
    rest.find((output) => output.name.toLowerCase().includes('box') && isBoxes(output, 4)) ??
    rest.find((output) => sizeAt(output, 1) === 4);
  const found = {
    indices: outputs.find(
      (output) => isWhole(output) && output.shape.length === 2 && sizeAt(output, 1) === 3,
    ),
    boxes,
    scores: rest.find(({ name }) => name === names?.scores) ?? rest.find((output) => output !== boxes),
  };
  return complete(found) && isBoxes(found.boxes, 4) ? found : null;
}

/** Finds the four outputs of TensorRT's EfficientNMS and similar operators. */
export function countedBoxes<T extends Shaped>(
  outputs: readonly T[],
): Named<T, 'count' | 'boxes' | 'scores' | 'classes'> | null {
  const found = {
    count: byName(outputs, 'num_dets', 'num_detections'),
    boxes: byName(outputs, 'det_boxes', 'detection_boxes', 'boxes'),
    scores: byName(outputs, 'det_scores', 'detection_scores', 'scores'),
    classes: byName(outputs, 'det_classes', 'detection_classes', 'classes', 'labels'),
  };
  return complete(found) && isBoxes(found.boxes, 4) && isFloat(found.scores) ? found : null;
}

/** MMDetection's outputs `dets` (`[1, n, 5]`, the score last) and `labels` (`[1, n]`). */
export function scoredBoxes<T extends Shaped>(outputs: readonly T[]): Named<T, 'boxes' | 'classes'> | null {
  const found = { boxes: byName(outputs, 'dets'), classes: byName(outputs, 'labels') };
  return complete(found) && isBoxes(found.boxes, 5) && isWhole(found.classes) ? found : null;
}

function byName<T extends Shaped>(outputs: readonly T[], ...names: readonly string[]): T | undefined {
  return outputs.find(({ name }) => names.includes(name.toLowerCase()));
}

function isBoxes(output: Shaped, size: number): boolean {
  return isFloat(output) && hasRank(output, 2, 3) && mayBe(output, 1, (last) => last === size);
}

function areQueries({ boxes, logits }: Named<Shaped, 'boxes' | 'logits'>): boolean {
  return isBoxes(boxes, 4) && isFloat(logits) && hasRank(logits, 2, 3);
}

/** Finds the only output, where its shape is not known. */
function lone<T extends Shaped>(outputs: readonly T[]): T | null {
  const [only] = outputs;
  return outputs.length === 1 && only !== undefined && isFloat(only) && only.shape.length === 0 ? only : null;
}

function complete<T, Names extends string>(
  found: Readonly<Record<Names, T | undefined>>,
): found is Named<T, Names> {
  return Object.values(found).every((output) => output !== undefined);
}
