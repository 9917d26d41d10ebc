import { IMAGE_FORMATS, type ModelStatus } from '@steadyhand/inference';
import { DECODES, ENCODINGS, OUTPUTS } from './analyze-request.ts';
import type { ModelCard } from './contract.ts';

/** What a model is and how it is asked, for people who open `/analyze` in a browser and for programs. */
export function modelCardOf(
  status: ModelStatus,
  {
    defaultModel,
    maxBytes,
    maxPixels,
  }: { readonly defaultModel: string; readonly maxBytes: number; readonly maxPixels: number },
): ModelCard {
  const { name, version, state, reason, kind, spec } = status;
  return {
    model: name,
    version,
    state,
    reason,
    default: name === defaultModel,
    kind,
    task: kind === 'ocr' ? 'ocr' : (spec?.task ?? null),
    layout: spec?.layout ?? null,
    labels: spec?.labels?.length ?? null,
    input: imageInput(status),
    thresholds:
      spec === null
        ? null
        : {
            score: spec.thresholds.score,
            iou: spec.thresholds.iou,
            max: spec.thresholds.maxDetections,
          },
    request: {
      method: 'POST',
      path: `/analyze?model=${encodeURIComponent(name)}`,
      content_type: 'multipart/form-data',
      file_field: 'file',
      formats: IMAGE_FORMATS,
      max_bytes: maxBytes,
      max_pixels: maxPixels,
      output: OUTPUTS,
      encoding: ENCODINGS,
      decode: DECODES,
    },
  };
}

function imageInput({ kind, spec }: ModelStatus): ModelCard['input'] {
  // Text is read at the image's own size.
  if (kind === 'ocr' || spec === null || spec.image === null) return null;
  const { width, height, channels } = spec.image;
  return { width, height, channels };
}
