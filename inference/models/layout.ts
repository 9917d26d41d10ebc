import { ModelRefusedError } from '../common/errors.ts';
import type { TensorInfo } from '../common/tensor.ts';
import { NANODET_BINS, NANODET_STRIDES, cells, isAnchorCount, isCellCount } from './grid.ts';
import type { Layout } from './model-spec.ts';
import type { OnnxFacts } from '../onnx/onnx-facts.ts';
import type { Shaped } from './outputs.ts';
import {
  classScores,
  countedBoxes,
  describeType,
  detsLabels,
  isFloat,
  labelsBoxesScores,
  mayBe,
  predBoxesLogits,
  predictions,
  probabilityMap,
  scoredBoxes,
  nmsSelection,
  sizeAt,
} from './outputs.ts';

/** What the layout is determined by. */
export interface LayoutFacts {
  readonly outputs: readonly TensorInfo[];
  readonly operators: OnnxFacts['operators'];
  readonly nonMaxSuppression: OnnxFacts['nonMaxSuppression'];
  /** The image input's channels and size in pixels; `dynamic` says whether the file leaves the size open. */
  readonly input: {
    readonly channels: number;
    readonly width: number;
    readonly height: number;
    readonly dynamic: boolean;
  };
  readonly labels: readonly string[] | null;
}

interface Rule {
  /** The outputs that it needs, for error messages. */
  readonly needs: string;
  /** Whether the outputs can be read in this layout at all. A sidecar's `layout` is checked by it. */
  readonly fits: (facts: LayoutFacts) => boolean;
  /** Whether the outputs look like this layout. The search goes by it. Default: `fits`. */
  readonly looks?: (facts: LayoutFacts) => boolean;
}

const SIDES = 4 * NANODET_BINS;

export const LAYOUT_RULES: Readonly<Record<Layout, Rule>> = {
  yolov5: {
    needs: '[1, rows, 5 + classes]',
    fits: ({ outputs }) => lastOf(outputs, (size) => size >= 6),
    looks: ({ outputs, input, labels }) =>
      lastOf(outputs, (size) => size >= 6 && isKnown(labels, size - 5)) &&
      rowsOf(outputs, (rows) => isAnchorCount(rows, input)),
  },
  yolov8: {
    needs: '[1, 4 + classes, rows], or that with its axes swapped',
    fits: ({ outputs }) =>
      lastOf(outputs, (size) => size >= 1) && rowsOf(outputs, (size) => size >= 1) && !tooFlat(outputs),
    looks: ({ outputs, input, labels }) => {
      const output = predictions(outputs);
      if (output === null) return false;
      const classes = labels === null ? null : 4 + labels.length;
      const cells = (size: number): boolean => isCellCount(size, input);
      if (classes !== null && sizeAt(output, 2) === classes) return true;
      if (classes !== null && sizeAt(output, 1) === classes) return mayBe(output, 2, cells);
      return (
        mayBe(output, 1, cells) &&
        mayBe(output, 2, (size) => (classes === null ? size >= 5 : size === classes))
      );
    },
  },
  yolov10: {
    needs: '[1, rows, 6]',
    fits: ({ outputs }) => lastOf(outputs, (size) => size === 6),
    looks: ({ outputs }) => predictions(outputs)?.shape.at(-1) === 6,
  },
  'yolox-raw': {
    needs: '[1, cells of strides 8, 16 and 32, 5 + classes]',
    fits: ({ outputs, input }) =>
      lastOf(outputs, (size) => size >= 6) && rowsOf(outputs, (rows) => rows === cells(input)),
    looks: ({ outputs, input, labels }) => looksLikeYolox(outputs, input, labels),
  },
  yolox: {
    needs: '[1, rows, 5 + classes]',
    fits: ({ outputs }) => lastOf(outputs, (size) => size >= 6),
    looks: ({ outputs, input, labels }) => looksLikeYolox(outputs, input, labels),
  },
  rtdetr: {
    needs: 'labels [1, n], boxes [1, n, 4], scores [1, n]',
    fits: ({ outputs }) => labelsBoxesScores(outputs) !== null,
  },
  rfdetr: {
    needs: 'dets [1, n, 4] and labels [1, n, classes], or pred_boxes and logits',
    fits: ({ outputs }) => detsLabels(outputs) !== null || predBoxesLogits(outputs) !== null,
    looks: ({ outputs, labels }) => detsLabels(outputs) !== null || hasNoEmptyClass(outputs, labels),
  },
  detr: {
    needs: 'logits [1, n, classes + 1] and pred_boxes [1, n, 4]',
    fits: ({ outputs }) => predBoxesLogits(outputs) !== null,
    looks: ({ outputs, labels }) => predBoxesLogits(outputs) !== null && !hasNoEmptyClass(outputs, labels),
  },
  nanodet: {
    needs: `[1, cells of strides 8, 16, 32 and 64, classes + ${SIDES}]`,
    fits: ({ outputs, input }) =>
      lastOf(outputs, (size) => size > SIDES) &&
      rowsOf(outputs, (rows) => rows === cells(input, NANODET_STRIDES)),
    looks: ({ outputs, input, labels }) =>
      lastOf(outputs, (size) => size > SIDES && isKnown(labels, size - SIDES)) &&
      rowsOf(outputs, (rows) => rows === cells(input, NANODET_STRIDES)),
  },
  nms: {
    needs:
      'whole numbers [n, 3] with boxes [1, rows, 4] and scores [1, classes, rows], or num_dets, boxes, scores and classes, or dets [1, n, 5] and labels [1, n]',
    fits: ({ outputs, nonMaxSuppression }) =>
      nmsSelection(outputs, nonMaxSuppression ?? undefined) !== null ||
      countedBoxes(outputs) !== null ||
      scoredBoxes(outputs) !== null,
  },
  db: {
    needs: '[1, 1, height, width]',
    fits: ({ outputs }) => isMap(outputs),
    looks: ({ outputs, operators, input }) => {
      const name = probabilityMap(outputs)?.name ?? '';
      const op = Object.hasOwn(operators, name) ? operators[name] : undefined;
      return (
        isMap(outputs) && input.channels === 3 && (input.dynamic || op === 'Sigmoid' || /sigmoid/i.test(name))
      );
    },
  },
  ctc: {
    needs: '[1, steps, characters + blank]',
    fits: ({ outputs }) => predictions(outputs) !== null,
    looks: ({ outputs, input, labels }) =>
      input.height === 48 &&
      labels !== null &&
      lastOf(outputs, (size) => size >= labels.length && size <= labels.length + 2),
  },
};

const BY_NAME = ['nms', 'rtdetr', 'rfdetr', 'detr'] as const satisfies readonly Layout[];
const BY_SHAPE = [
  'yolov10',
  'yolov5',
  'yolov8',
  'yolox-raw',
  'yolox',
  'nanodet',
  'db',
] as const satisfies readonly Layout[];

/**
 * Finds the layout by the outputs' names and shapes; null where none fits. Labels that fit no layout are fewer or more
 * than the classes, and are ignored.
 *
 * @throws {ModelRefusedError} where several fit
 */
export function findLayout(facts: LayoutFacts): Layout | null {
  return search(facts) ?? (facts.labels === null ? null : search({ ...facts, labels: null }));
}

function search(facts: LayoutFacts): Layout | null {
  const looks = (layout: Layout): boolean => (LAYOUT_RULES[layout].looks ?? LAYOUT_RULES[layout].fits)(facts);
  const named = BY_NAME.find(looks);
  if (named !== undefined) return named;
  const [first, ...rest] = facts.outputs;
  // Old YOLOv5 exports have the three heads as outputs beside the predictions.
  if (
    first === undefined ||
    !isFloat(first) ||
    first.shape.length === 0 ||
    rest.some(({ shape }) => shape.length !== 5)
  )
    return null;
  // An input of this height takes lines of text: no grids of a detector fit it.
  if (facts.input.height === 48 && first.shape.length === 3) return looks('ctc') ? 'ctc' : null;
  const found = BY_SHAPE.filter(looks);
  if (found.length <= 1) return found[0] ?? null;
  throw new ModelRefusedError(
    `the outputs (${describeTensors(facts.outputs)}) may be ${alternatives(found)}: the sidecar's "layout" must say which` +
      ' (or "task": "tensor" for the bare tensors)',
  );
}

/** Whether the output may be one score for each class. */
export function looksLikeClasses({ outputs, labels }: LayoutFacts): boolean {
  const scores = outputs.length === 1 ? classScores(outputs) : null;
  if (scores === null || scores.shape.length === 0) return false;
  const classes = scores.shape[1] ?? -1;
  return classes > 1 || (classes < 0 && labels !== null);
}

/** @throws {ModelRefusedError} where the outputs cannot be read as `layout` */
export function checkLayout(layout: Layout, facts: LayoutFacts): void {
  const { fits, needs } = LAYOUT_RULES[layout];
  if (fits(facts)) return;
  throw new ModelRefusedError(
    `layout "${layout}" needs ${needs} of floats at an input of ${facts.input.width} x ${facts.input.height}; ` +
      `the model's outputs are ${describeTensors(facts.outputs)}`,
  );
}

/** Tensors for an error message, such as `output0 FP32 [1, 84, ?]`. */
export function describeTensors(tensors: readonly TensorInfo[]): string {
  return tensors.map(({ name, ...type }) => `${name} ${describeType(type)}`).join('; ');
}

function alternatives(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function lastOf(outputs: readonly Shaped[], test: (size: number) => boolean): boolean {
  const output = predictions(outputs);
  return output !== null && mayBe(output, 1, test);
}

function rowsOf(outputs: readonly Shaped[], test: (size: number) => boolean): boolean {
  const output = predictions(outputs);
  return output !== null && mayBe(output, 2, test);
}

/** Whether neither axis has room for the four numbers of a box and a class. */
function tooFlat(outputs: readonly Shaped[]): boolean {
  const output = predictions(outputs);
  return (
    output === null || (!mayBe(output, 1, (size) => size >= 5) && !mayBe(output, 2, (size) => size >= 5))
  );
}

function isKnown(labels: readonly string[] | null, classes: number): boolean {
  return labels === null || labels.length === classes;
}

function looksLikeYolox(
  outputs: readonly Shaped[],
  input: LayoutFacts['input'],
  labels: LayoutFacts['labels'],
): boolean {
  return (
    lastOf(outputs, (size) => size >= 6 && isKnown(labels, size - 5)) &&
    rowsOf(outputs, (rows) => rows === cells(input))
  );
}

/** DETR's last class is "no object". There is none where there are as many labels as classes. */
function hasNoEmptyClass(outputs: readonly Shaped[], labels: LayoutFacts['labels']): boolean {
  const found = predBoxesLogits(outputs);
  return found !== null && labels !== null && sizeAt(found.logits, 1) === labels.length;
}

function isMap(outputs: readonly Shaped[]): boolean {
  const map = probabilityMap(outputs);
  return map !== null && mayBe(map, 3, (channels) => channels === 1);
}
