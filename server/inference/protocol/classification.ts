import type { Tensor } from '@steadyhand/inference';
import { halfToNumber } from '../half.ts';

/**
 * The classification extension: in place of a tensor of scores, for each entry of its first axis the best `count` as
 * texts `score:index` or, where the model has labels, `score:index:label`.
 */
export function classify(tensor: Tensor, count: number, labels: readonly string[] | null): Tensor {
  const { name, shape, data, datatype } = tensor;
  const rows = shape.length > 1 ? (shape[0] ?? 1) : 1;
  const width = rows === 0 ? 0 : data.length / rows;
  const wanted = Math.min(count, width);
  const score = (index: number): number =>
    datatype === 'FP16' ? halfToNumber(Number(data[index])) : Number(data[index]);
  const texts: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (const index of best(width, wanted, (at) => score(row * width + at))) {
      const label = labels?.[index];
      const value = score(row * width + index);
      texts.push(label === undefined ? `${value}:${index}` : `${value}:${index}:${label}`);
    }
  }
  return { name, datatype: 'BYTES', shape: shape.length > 1 ? [rows, wanted] : [wanted], data: texts };
}

/** The indices of the greatest values, greatest first; of equal ones the first. NaN never is among them before others. */
function best(width: number, count: number, value: (index: number) => number): readonly number[] {
  const order = Array.from({ length: width }, (_, index) => index);
  const rank = (index: number): number => {
    const of = value(index);
    return Number.isNaN(of) ? -Infinity : of;
  };
  return order.sort((a, b) => rank(b) - rank(a) || a - b).slice(0, count);
}
