/** The braces of one pattern may expand to this many alternatives. */
const MOST_ALTERNATIVES = 1000;

/** The pattern cannot be used; the message says why. */
class GlobPatternError extends Error {
  override readonly name = 'GlobPatternError';
}

/** One part of a pattern between slashes: `**` for any number of folders, or a test for one name. */
type Part = '**' | ((name: string) => boolean);

/** How far a walk has come in its pattern: the positions from which it may continue, for each alternative. */
export type GlobState = readonly (readonly [alternative: number, part: number])[];

/**
 * A glob: `*` and `?` within a name, `[a-z]` and `[!a-z]` for one character, `{a,b}` for alternatives, `**` for any
 * number of folders. A name that begins with a dot is matched only by a part that begins with one. The glob is matched
 * name by name, in time bounded by the length of the pattern times that of the name.
 */
export class Glob {
  readonly #alternatives: readonly (readonly Part[])[];

  /** @throws GlobPatternError */
  constructor(pattern: string) {
    this.#alternatives = braces(pattern).map((alternative) => {
      const parts = alternative.split('/').filter((part) => part !== '' && part !== '.');
      if (parts.includes('..')) throw new GlobPatternError('".." is not permitted in the pattern');
      return parts.map((part) => (part === '**' ? part : nameMatcher(part)));
    });
  }

  /** The state at the root of a walk. */
  get start(): GlobState {
    return this.#alternatives.flatMap((_, alternative) => this.#from(alternative, 0));
  }

  /** The state after a name; it is empty where nothing below can match. */
  next(state: GlobState, name: string): GlobState {
    const seen = new Set<string>();
    return state
      .flatMap(([alternative, at]): GlobState => {
        const part = this.#alternatives[alternative]?.[at];
        if (part === undefined) return [];
        if (part === '**') return name.startsWith('.') ? [] : this.#from(alternative, at);
        return part(name) ? this.#from(alternative, at + 1) : [];
      })
      .filter(([alternative, at]) => {
        const key = `${alternative}/${at}`;
        return !seen.has(key) && seen.add(key);
      });
  }

  /** Whether the path that led to this state matches the whole pattern. */
  matches(state: GlobState): boolean {
    return state.some(([alternative, at]) => this.#alternatives[alternative]?.length === at);
  }

  /** `**` may also stand for no folder at all. */
  #from(alternative: number, at: number): GlobState {
    const skips = this.#alternatives[alternative]?.[at] === '**';
    return skips ? [[alternative, at], ...this.#from(alternative, at + 1)] : [[alternative, at]];
  }
}

/** Returns every pattern that the braces expand to. A brace without an end or a comma stands for itself. */
function braces(pattern: string): string[] {
  const found: string[] = [];
  const pending = [pattern];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const group = firstGroup(next);
    if (group === null) {
      found.push(next);
      continue;
    }
    const { start, end, options } = group;
    for (const option of options.toReversed()) pending.push(next.slice(0, start) + option + next.slice(end));
    if (found.length + pending.length > MOST_ALTERNATIVES)
      throw new GlobPatternError(`the pattern stands for more than ${MOST_ALTERNATIVES} alternatives`);
  }
  return found;
}

function firstGroup(pattern: string): { start: number; end: number; options: string[] } | null {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    const options: string[] = [];
    let depth = 0;
    let from = start + 1;
    for (let at = start; at < pattern.length; at += 1) {
      const unit = pattern[at];
      if (unit === '{') depth += 1;
      else if (unit === '}') depth -= 1;
      if (depth === 1 && unit === ',') {
        options.push(pattern.slice(from, at));
        from = at + 1;
      } else if (depth === 0) {
        options.push(pattern.slice(from, at));
        if (options.length > 1) return { start, end: at + 1, options };
        break;
      }
    }
  }
  return null;
}

/** One element of a part: any run of characters, or one character of a kind. */
type Piece = '*' | ((character: string) => boolean);

function nameMatcher(part: string): (name: string) => boolean {
  const pieces = piecesOf(part);
  const dotted = part.startsWith('.');
  return (name) => (dotted || !name.startsWith('.')) && covers(pieces, Array.from(name));
}

function piecesOf(part: string): Piece[] {
  const characters = Array.from(part);
  const pieces: Piece[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const set = character === '[' ? characterSet(characters, at) : null;
    if (character === '*') {
      if (pieces.at(-1) !== '*') pieces.push('*');
    } else if (character === '?') pieces.push(() => true);
    else if (set !== null) {
      pieces.push(set.accepts);
      at = set.last;
    } else if (character === '\\' && at + 1 < characters.length) {
      at += 1;
      const escaped = characters[at];
      pieces.push((one) => one === escaped);
    } else pieces.push((one) => one === character);
  }
  return pieces;
}

/** Reads `[abc]`, `[a-z]`, `[!a]` or `[^a]`. A bracket without an end stands for itself. */
function characterSet(
  characters: readonly string[],
  start: number,
): { readonly accepts: (character: string) => boolean; readonly last: number } | null {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const last = characters.indexOf(']', first + 1);
  if (last === -1) return null;
  const inside = characters.slice(first, last);
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < inside.length; at += 1) {
    const from = inside[at] ?? '';
    if (inside[at + 1] === '-' && at + 2 < inside.length) {
      ranges.push([from, inside[at + 2] ?? '']);
      at += 2;
    } else ranges.push([from, from]);
  }
  const isInside = (one: string): boolean =>
    ranges.some(([from, to]) => point(one) >= point(from) && point(one) <= point(to));
  return { accepts: (one) => isInside(one) !== negated, last };
}

function point(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Whether the pieces match all of a name. On a mismatch the last `*` matches one character more. */
function covers(pieces: readonly Piece[], name: readonly string[]): boolean {
  let piece = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const wanted = pieces[piece];
    if (wanted === '*') {
      star = piece;
      starAt = at;
      piece += 1;
    } else if (wanted?.(name[at] ?? '') === true) {
      piece += 1;
      at += 1;
    } else if (star !== -1) {
      piece = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  while (pieces[piece] === '*') piece += 1;
  return piece === pieces.length;
}
