import type { Analysis } from '../client/api.ts';

/** One thing that was found, as it is listed and, when it has a place, drawn. */
export interface Finding {
  readonly label: string;
  readonly score: number | null;
  /** Corners in pixels of the picture, as an SVG polygon takes them. */
  readonly points: string | null;
  readonly detail: string | null;
}

/** What an analysis found. A text model's lines are taken alone, because each of them is a detection too. */
export function findingsOf({ lines, detections, classes, outputs }: Analysis): readonly Finding[] {
  if (lines !== undefined) {
    return lines.map(({ text, score, polygon }) => ({
      // Some models find text without reading it.
      label: text === '' ? 'text' : text,
      score,
      points: polygon.map((corner) => corner.join(',')).join(' '),
      detail: null,
    }));
  }
  if (detections !== undefined) {
    return detections.map(({ box: [x1, y1, x2, y2], label, score }) => ({
      label,
      score,
      points: `${x1},${y1} ${x2},${y1} ${x2},${y2} ${x1},${y2}`,
      detail: null,
    }));
  }
  if (classes !== undefined) {
    return classes.map(({ label, score }) => ({ label, score, points: null, detail: null }));
  }
  return (outputs ?? []).map((output) => {
    const { name, datatype, shape } = output;
    // The figures were asked for, not the tensors themselves.
    const { min, max, mean } = 'min' in output ? output : { min: null, max: null, mean: null };
    const detail = `${datatype} ${shape.join(' × ')}, ${figure(min)} to ${figure(max)}, mean ${figure(mean)}`;
    return { label: name, score: null, points: null, detail };
  });
}

function figure(value: number | null): string {
  return value === null ? '?' : String(Number(value.toPrecision(4)));
}
