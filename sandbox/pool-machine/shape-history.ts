import { join } from 'node:path';
import { errorText } from '../error-fields.ts';
import { isObject, isRecordOf, readRecord } from '../record-file.ts';
import { writeWholeSync } from '../whole-file.ts';
import { hasPackages } from '../packages/layer.ts';
import { type ComputerShape, DEFAULT_SHAPE, isSameShape } from './computer-shape.ts';

/** The number of sandboxes that are looked back at. */
const REMEMBERED = 8;

/** The shapes of the sandboxes that came last; the next one is expected to have the commonest of them. */
export class ShapeHistory {
  readonly #file: string;
  readonly #failed: (reason: string) => void;
  /** The newest comes last. */
  readonly #seen: ComputerShape[] = [];
  #expected: ComputerShape;

  /**
   * @param folder in which the expected shape is kept over a restart
   * @param failed is told why it could not be written, which costs time at the next start and nothing else
   */
  constructor(folder: string, failed: (reason: string) => void) {
    this.#file = join(folder, 'expected-shape.json');
    this.#failed = failed;
    this.#expected = readShape(this.#file) ?? DEFAULT_SHAPE;
  }

  get expected(): ComputerShape {
    return this.#expected;
  }

  add(shape: ComputerShape): void {
    // An installation takes minutes, and happens once for all sandboxes with these packages.
    if (hasPackages(shape.packages)) return;
    this.#seen.push(shape);
    if (this.#seen.length > REMEMBERED) this.#seen.shift();
    const commonest = this.#commonest();
    if (isSameShape(commonest, this.#expected)) return;
    this.#expected = commonest;
    try {
      writeWholeSync(this.#file, JSON.stringify(commonest));
    } catch (error) {
      this.#failed(errorText(error));
    }
  }

  /** Of two that are equally common, the one that is expected already, or else the newer one. */
  #commonest(): ComputerShape {
    const count = (shape: ComputerShape): number =>
      this.#seen.filter((other) => isSameShape(other, shape)).length;
    let best = this.#expected;
    for (const shape of this.#seen.toReversed()) if (count(shape) > count(best)) best = shape;
    return best;
  }
}

/** Null also for a damaged file: it is only a guess. */
function readShape(file: string): ComputerShape | null {
  const isShape = (value: unknown): value is Partial<ComputerShape> =>
    isRecordOf(value, { display: isObject, networking: isObject, packages: isObject, limits: isObject });
  try {
    const kept = readRecord(file, isShape);
    return kept === null ? null : { ...DEFAULT_SHAPE, ...kept };
  } catch {
    return null;
  }
}
