import type { Detection } from '../../common/results.ts';
import type { Tensor } from '../../common/tensor.ts';
import { labelOf, wantedClasses, decodeClasses } from './classes.ts';
import type { DecodeOptions, Decoder } from './decoder.ts';
import { decodeDetr, decodeRfdetr, decodeRtdetr } from './detr.ts';
import { decodeInGraphNms } from './in-graph-nms.ts';
import { decodeNanodet } from './nanodet.ts';
import { select } from './select.ts';
import { decodeTextLine } from './text-line.ts';
import { decodeTextRegions } from './text-regions.ts';
import { decodeYolov10, decodeYolov5, decodeYolov8, decodeYoloxRaw } from './yolo.ts';
import { targetSize, type Decoded, type RunContext } from '../extra-inputs.ts';
import type { Layout, ModelSpec } from '../model-spec.ts';
import { detsLabels, predBoxesLogits } from '../outputs.ts';

/**
 * At most so many candidates go into NMS, the best ones. No usual model has as many in all at 640 x 640, where YOLOv5
 * has 25200.
 */
const MAX_CANDIDATES = 30_000;

type BoxLayout = Exclude<Layout, 'db' | 'ctc'>;

const BOX_DECODERS: Readonly<Record<BoxLayout, { readonly decode: Decoder; readonly nms: boolean }>> = {
  yolov5: { decode: decodeYolov5, nms: true },
  yolov8: { decode: decodeYolov8, nms: true },
  yolov10: { decode: decodeYolov10, nms: false },
  'yolox-raw': { decode: decodeYoloxRaw, nms: true },
  yolox: { decode: decodeYolov5, nms: true },
  rtdetr: { decode: decodeRtdetr, nms: false },
  rfdetr: { decode: decodeRfdetr, nms: false },
  detr: { decode: decodeDetr, nms: false },
  nanodet: { decode: decodeNanodet, nms: true },
  nms: { decode: decodeInGraphNms, nms: false },
};

/**
 * Decodes a model's outputs for one image: boxes in the image's pixels with the best score first, and classes by name.
 * The result is empty for the task `tensor`. Where the outputs hold several images, the first counts.
 *
 * @throws {InferenceError} image_unsuitable for a class filter that the model does not know, inference_failed for
 *   outputs that the layout cannot decode
 */
export function decodeOutputs(spec: ModelSpec, outputs: readonly Tensor[], context: RunContext): Decoded {
  const { image: input, layout, task, thresholds } = spec;
  if (task === 'tensor' || input === null) return {};
  const { filters = {} } = context;
  const target = targetSize(spec, context);
  const options: DecodeOptions = {
    spec,
    input,
    frame: target,
    // Scores are 32-bit, and a 32-bit 0.7 is less than the 64-bit 0.7 of a request.
    threshold: Math.fround(filters.score ?? thresholds.score),
  };
  const max = filters.max ?? thresholds.maxDetections;
  if (layout === 'db') {
    const wanted = wantedClasses({ labels: ['text'] }, filters);
    if (wanted !== null && !wanted.has(0)) return { detections: [], lines: [] };
    return decodeTextRegions(outputs, options, context, max);
  }
  if (layout === 'ctc') return { lines: decodeTextLine(outputs, options, context).slice(0, max) };
  const classes = wantedClasses(spec, filters);
  if (layout === null) {
    const found = decodeClasses(outputs, options, classes, max);
    return {
      classes: found.map(({ classId, score }) => ({
        label: labelOf(spec, classId),
        class_id: classId,
        score,
      })),
    };
  }
  const { decode, nms } = BOX_DECODERS[layout];
  const selected = select(decode(outputs, options), {
    iou: nms ? (filters.iou ?? thresholds.iou) : null,
    candidates: layout === 'rfdetr' ? queryCount(outputs) : MAX_CANDIDATES,
    max,
    classes,
    image: context.image,
    placement: target.frame === 'source' ? null : context.placement,
  });
  return {
    detections: selected.map(({ box, score, classId }): Detection => ({
      box,
      label: labelOf(spec, classId),
      class_id: classId,
      score,
    })),
  };
}

/** RF-DETR answers with as many of the best pairs of query and class as it has queries. */
function queryCount(outputs: readonly Tensor[]): number {
  return (detsLabels(outputs) ?? predBoxesLogits(outputs))?.boxes.shape.at(-2) ?? 0;
}
