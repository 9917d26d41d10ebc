/** Where somebody writes in a YAML text. */
export interface YamlPlace {
  /** The way from the root: names of keys, and `*` for an entry of a list. Of a key the way to the map that it is written in. */
  readonly path: readonly string[];
  readonly kind: 'key' | 'value';
  /** Where the word begins that is being written. */
  readonly from: number;
  /** What stands beside it in its map so far; the texts of values that are no maps or lists. */
  readonly siblings: ReadonlyMap<string, string>;
}

const LINE = /^(\s*)((?:-\s+|-$)*)(?:([\w-]+):(?:\s+|$))?(.*)$/;

/** A line of block YAML: where its content begins, where its dashes stand, its key and what follows that. */
interface Line {
  readonly column: number;
  readonly dashes: readonly number[];
  readonly key: string | undefined;
  readonly rest: string;
}

function lineOf(text: string): Line {
  const [, indent = '', marks = '', key, rest = ''] = LINE.exec(text) ?? [];
  const dashes = [...marks.matchAll(/-/g)].map(({ index }) => indent.length + index);
  return { column: indent.length + marks.length, dashes, key, rest };
}

/**
 * Finds where the cursor stands, by the lines above it: incomplete as they are, no parser could read them.
 *
 * @returns undefined inside a text of several lines, a comment, or what is complete
 */
export function yamlPlace(text: string, at: number): YamlPlace | undefined {
  const lines = text.slice(0, at).split('\n');
  const own = lines.at(-1) ?? '';
  if (/^\s*#/.test(own) || /\s#[^'"]*$/.test(own)) return undefined;
  const line = lineOf(own);
  const above = waysAbove(lines.slice(0, -1), line);
  if (above === undefined) return undefined;
  const { path, siblings } = above;
  const from = at - line.rest.length;
  if (line.key === undefined) {
    return /^[\w-]*$/.test(line.rest) ? { path, kind: 'key', from, siblings } : undefined;
  }
  const inside = [...path, line.key];
  if (/^[{[]/.test(line.rest)) return flowPlace(line.rest, from, inside);
  return /^[|>'"]/.test(line.rest) ? undefined : { path: inside, kind: 'value', from, siblings: NOTHING };
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The way to the map that a line belongs to; undefined where the line is a part of a text. */
function waysAbove(lines: readonly string[], own: Line): Pick<YamlPlace, 'path' | 'siblings'> | undefined {
  const path: string[] = [];
  const siblings = new Map<string, string>();
  let limit = own.column;
  let isItem = false;
  const leave = ({ dashes }: Line): void => {
    for (const dash of dashes.toReversed()) {
      path.unshift('*');
      limit = dash;
      isItem = true;
    }
  };
  leave(own);
  let isOwnMap = own.dashes.length === 0;
  for (const text of lines.toReversed()) {
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue;
    const line = lineOf(text);
    const { column, dashes, key, rest } = line;
    if (column === limit && !isItem) {
      if (isOwnMap && key !== undefined) siblings.set(key, rest.trim());
      if (dashes.length > 0) {
        isOwnMap = false;
        leave(line);
      }
    } else if (column < limit || (isItem && column === limit)) {
      if (key === undefined) continue;
      if (/^[|>]/.test(rest)) return undefined;
      if (rest.trim() !== '') continue;
      path.unshift(key);
      limit = column;
      isItem = false;
      isOwnMap = false;
      leave(line);
    }
  }
  return { path, siblings };
}

interface Frame {
  readonly list: boolean;
  readonly siblings: Map<string, string>;
  key: string | undefined;
  /** Where the word begins. */
  from: number;
}

/** The same inside braces and brackets, which are read from their beginning. */
function flowPlace(text: string, offset: number, base: readonly string[]): YamlPlace | undefined {
  const frames: Frame[] = [];
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? '';
    const frame = frames.at(-1);
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '{' || char === '[') {
      frames.push({ list: char === '[', siblings: new Map(), key: undefined, from: index + 1 });
    } else if (frame === undefined) return undefined;
    else if (char === '}' || char === ']') frames.pop();
    else if (char === ',') {
      if (frame.key !== undefined) frame.siblings.set(frame.key, text.slice(frame.from, index).trim());
      frame.key = undefined;
      frame.from = index + 1;
    } else if (char === ':' && !frame.list && frame.key === undefined) {
      frame.key = text.slice(frame.from, index).trim();
      frame.from = index + 1;
    }
  }
  const last = frames.at(-1);
  if (last === undefined || quote !== '') return undefined;
  const path = [...base, ...frames.slice(0, -1).map(({ list, key }) => (list ? '*' : (key ?? '')))];
  const written = text.slice(last.from);
  const from = offset + text.length - written.trimStart().length;
  if (last.list) return { path: [...path, '*'], kind: 'value', from, siblings: NOTHING };
  if (last.key === undefined) return { path, kind: 'key', from, siblings: last.siblings };
  return { path: [...path, last.key], kind: 'value', from, siblings: last.siblings };
}
