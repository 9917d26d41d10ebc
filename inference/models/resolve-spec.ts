import { ModelRefusedError } from '../common/errors.ts';
import { SIZES_INPUT, isSizesInput } from './extra-inputs.ts';
import { resolveImageInput } from './resolve-image-input.ts';
import type { LayoutFacts } from './layout.ts';
import { LAYOUT_RULES, checkLayout, describeTensors, findLayout, looksLikeClasses } from './layout.ts';
import { charactersFrom, labelsFrom } from './metadata.ts';
import type { DecodeHints, Layout, ModelSpec, Task, Thresholds } from './model-spec.ts';
import type { OnnxFacts } from '../onnx/onnx-facts.ts';
import type { ImageInput } from '../preprocess/image-input.ts';
import { classScores } from './outputs.ts';
import type { Sidecar } from './sidecar.ts';

/** A classifier's scores may all be low, so its best few classes are kept instead of those above a threshold. */
const TOP_CLASSES = 5;

type Reading = Pick<ModelSpec, 'task' | 'layout'>;

/**
 * Combines the facts of a model's file with its sidecar. The sidecar has precedence over the metadata, and the input's
 * fixed shape over both.
 *
 * @throws {ModelRefusedError} where the sidecar contradicts the file, the layout is ambiguous, or an input cannot be
 *   filled
 */
export function resolveSpec(facts: OnnxFacts, sidecar: Sidecar = {}): ModelSpec {
  const image = resolveImageInput(facts, sidecar);
  const labels = sidecar.labels ?? labelsFrom(facts.metadata);
  if ('noImage' in image) {
    const wanted = sidecar.layout ?? sidecar.task ?? 'tensor';
    if (wanted !== 'tensor')
      throw new ModelRefusedError(`"${wanted}" needs a model that takes images: ${image.noImage}`);
    return {
      task: 'tensor',
      layout: null,
      labels,
      image: null,
      noImage: image.noImage,
      thresholds: thresholds(sidecar),
    };
  }
  checkInputs(facts);
  const characters = labels ?? charactersFrom(facts.metadata);
  const layoutFacts = toLayoutFacts(facts, image, labels);
  const reading = readingOf(sidecar, facts, {
    ...layoutFacts,
    labels: image.height === 48 ? characters : labels,
  });
  const hints = hintsFor(reading, facts);
  if (reading.layout === 'ctc' && characters === null)
    throw new ModelRefusedError(
      'layout "ctc" needs the characters: the sidecar\'s "labels", in the order of the classes',
    );
  return {
    ...reading,
    labels: reading.layout === 'ctc' ? characters : labels,
    image,
    thresholds: thresholds(sidecar, reading.task),
    ...(hints && { hints }),
  };
}

function toLayoutFacts(facts: OnnxFacts, image: ImageInput, labels: readonly string[] | null): LayoutFacts {
  const [, , height = -1, width = -1] = facts.inputs[0]?.shape ?? [];
  const { channels } = image;
  const input = { channels, width: image.width, height: image.height, dynamic: height < 0 || width < 0 };
  const { outputs, operators, nonMaxSuppression } = facts;
  return { outputs, operators, nonMaxSuppression, input, labels };
}

function readingOf(sidecar: Sidecar, facts: OnnxFacts, about: LayoutFacts): Reading {
  const { task, layout = layoutOf(task) } = sidecar;
  if (layout !== undefined) {
    const implied = taskOf(layout);
    if (task !== undefined && task !== implied)
      throw new ModelRefusedError(
        `sidecar: task: "${task}", but layout "${layout}" is of the task "${implied}"`,
      );
    checkLayout(layout, about);
    return { task: implied, layout };
  }
  if (task === 'tensor') return { task, layout: null };
  // Ultralytics' metadata names the task: masks, poses and rotated boxes have outputs that look like boxes.
  const purpose = facts.metadata['task'];
  const classes = looksLikeClasses(about);
  if (task === 'classify' || (task === undefined && classes && (purpose ?? 'classify') === 'classify')) {
    if (!classes)
      throw new ModelRefusedError(
        `task "classify" needs one output [1, classes] of floats; the model's are ${describeTensors(facts.outputs)}`,
      );
    return { task: 'classify', layout: null };
  }
  const found = task === 'detect' || (purpose ?? 'detect') === 'detect' ? findLayout(about) : null;
  if (found !== null && (task === undefined || task === taskOf(found)))
    return { task: taskOf(found), layout: found };
  if (task === undefined) return { task: 'tensor', layout: null };
  throw new ModelRefusedError(
    `task "${task}": no layout is found in the outputs (${describeTensors(facts.outputs)}); ` +
      `the sidecar's "layout" may name one of ${Object.keys(LAYOUT_RULES).join(', ')}`,
  );
}

function layoutOf(task: Task | undefined): Layout | undefined {
  if (task === 'ocr-detect') return 'db';
  return task === 'ocr-recognize' ? 'ctc' : undefined;
}

function taskOf(layout: Layout): Task {
  if (layout === 'db') return 'ocr-detect';
  return layout === 'ctc' ? 'ocr-recognize' : 'detect';
}

/** @throws {ModelRefusedError} for an unknown input beside the image */
function checkInputs({ inputs }: OnnxFacts): void {
  const unknown = inputs.slice(1).filter((input) => !isSizesInput(input));
  if (unknown.length === 0) return;
  throw new ModelRefusedError(
    `nothing is known to fill ${describeTensors(unknown)} with; beside the image only ${SIZES_INPUT} INT64 [1, 2] can be filled`,
  );
}

function hintsFor({ task, layout }: Reading, facts: OnnxFacts): DecodeHints | undefined {
  if (layout === 'nms' && facts.nonMaxSuppression !== null) return { nms: facts.nonMaxSuppression };
  if (task !== 'classify') return undefined;
  const name = classScores(facts.outputs)?.name ?? '';
  const op = Object.hasOwn(facts.operators, name) ? facts.operators[name] : undefined;
  return op === 'Softmax' || op === 'Sigmoid' ? { probabilities: true } : undefined;
}

function thresholds(sidecar: Sidecar, task?: Task): Thresholds {
  const classify = task === 'classify';
  return {
    score: sidecar.score_threshold ?? (classify ? 0 : 0.25),
    iou: sidecar.iou_threshold ?? 0.45,
    maxDetections: sidecar.max_detections ?? (classify ? TOP_CLASSES : 300),
  };
}
