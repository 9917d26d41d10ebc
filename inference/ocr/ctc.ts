/** A character in a recogniser's output. */
interface CtcCharacter {
  readonly text: string;
  /** The first and the last of its steps. */
  readonly first: number;
  readonly last: number;
  /** The probability at its first step. */
  readonly probability: number;
}

/**
 * Decodes greedily: takes the best class of each step, merges runs of one class, and drops blanks.
 *
 * @param data `steps` rows of `classes` probabilities: class 0 is the blank, then comes one for each key, then the
 *   space
 */
export function ctcCharacters(
  data: Float32Array,
  steps: number,
  classes: number,
  keys: readonly string[],
): CtcCharacter[] {
  const characters: CtcCharacter[] = [];
  let before = 0;
  for (let step = 0; step < steps; step += 1) {
    const row = step * classes;
    let best = 0;
    let probability = data[row] ?? 0;
    for (let at = 1; at < classes; at += 1) {
      const value = data[row + at] ?? 0;
      if (value > probability) {
        probability = value;
        best = at;
      }
    }
    if (best !== 0) {
      const previous = characters.at(-1);
      if (best === before && previous !== undefined) {
        characters[characters.length - 1] = { ...previous, last: step };
      } else {
        const text = best === keys.length + 1 ? ' ' : (keys[best - 1] ?? '');
        characters.push({ text, first: step, last: step, probability });
      }
    }
    before = best;
  }
  return characters;
}

/**
 * Answers the text of a recogniser's output, and the mean probability of its characters, 0 for none; see
 * `ctcCharacters`.
 */
export function decodeCtc(
  data: Float32Array,
  steps: number,
  classes: number,
  keys: readonly string[],
): { text: string; score: number } {
  const characters = ctcCharacters(data, steps, classes, keys);
  const sum = characters.reduce((total, { probability }) => total + probability, 0);
  return {
    text: characters.map(({ text }) => text).join(''),
    score: characters.length === 0 ? 0 : sum / characters.length,
  };
}
