import type { Analysis } from '../client/api.ts';

/** One thing that was found, as it is listed and, when it has a place, drawn. */
export interface Finding {
  readonly label: string;
  readonly score: number | null;
  /** Corners in pixels of the picture, as an SVG polygon takes them. */
  readonly points: string | null;
  /** The upright rectangle around it, in the same pixels: left, top, width, height. */
  readonly frame: Frame | null;
  /** The label is what was read there, not a class. */
  readonly isText: boolean;
  readonly detail: string | null;
}

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What an analysis found. A text model's lines are taken alone, because each of them is a detection too. */
export function findingsOf({ lines, detections, classes, outputs }: Analysis): readonly Finding[] {
  if (lines !== undefined) {
    return lines.map(({ text, score, polygon, box }) => ({
      // Some models find text without reading it.
      label: text === '' ? 'text' : text,
      score,
      points: polygon.map((corner) => corner.join(',')).join(' '),
      frame: frameOf(box),
      isText: true,
      detail: null,
    }));
  }
  if (detections !== undefined) {
    return detections.map(({ box, label, score }) => ({
      label,
      score,
      points: cornersOf(box),
      frame: frameOf(box),
      isText: false,
      detail: null,
    }));
  }
  if (classes !== undefined) {
    return classes.map(({ label, score }) => ({ ...NOWHERE, label, score, detail: null }));
  }
  return (outputs ?? []).map((output) => {
    const { name, datatype, shape } = output;
    // The figures were asked for, not the tensors themselves.
    const { min, max, mean } = 'min' in output ? output : { min: null, max: null, mean: null };
    const detail = `${datatype} ${shape.join(' × ')}, ${figure(min)} to ${figure(max)}, mean ${figure(mean)}`;
    return { ...NOWHERE, label: name, score: null, detail };
  });
}

const NOWHERE = { points: null, frame: null, isText: false } as const;

type Box = readonly number[];

const frameOf = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: Box): Frame => ({
  x: x1,
  y: y1,
  width: x2 - x1,
  height: y2 - y1,
});

const cornersOf = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: Box): string =>
  `${x1},${y1} ${x2},${y1} ${x2},${y2} ${x1},${y2}`;

function figure(value: number | null): string {
  return value === null ? '?' : String(Number(value.toPrecision(4)));
}
