/** A stretch of a terminal's output in one style. `classes` are names of the style sheet. */
export interface AnsiSpan {
  readonly text: string;
  readonly classes: string;
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

interface Style {
  colour?: string;
  ground?: string;
  bold?: boolean;
  faint?: boolean;
  italic?: boolean;
  underline?: boolean;
}

const ESC = '\u001b';
const BELL = '\u0007';

/** Escape sequences: colours (ending in m), other control sequences, window titles, and single ones. */
const SEQUENCE = new RegExp(
  [
    String.raw`${ESC}\[([0-9;:]*)m`,
    String.raw`${ESC}\[[0-?]*[ -/]*[@-ln-~]`,
    String.raw`${ESC}\][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\)`,
    String.raw`${ESC}[()][0-9A-B]`,
    String.raw`${ESC}[=>78cM]`,
  ].join('|'),
  'g',
);

/**
 * The output of a terminal as stretches of text with colours. All 256 colours and those by their parts become the nearest of
 * the eight, because these are legible in both themes. A line that returned to its beginning shows what was written last.
 */
export function ansiSpans(output: string): readonly AnsiSpan[] {
  const text = withoutRewrites(output);
  const spans: AnsiSpan[] = [];
  let style: Style = {};
  let from = 0;
  const add = (piece: string): void => {
    if (piece !== '') spans.push({ text: piece, classes: classesOf(style) });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    add(text.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[1] !== undefined) style = restyled(style, match[1]);
  }
  add(text.slice(from));
  return spans;
}

/** Of each line, what stands after its last lone carriage return: progress bars write their line again and again. */
function withoutRewrites(output: string): string {
  if (!output.includes('\r')) return output;
  return output
    .replaceAll(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').replace(/^.*\r/, ''))
    .join('\n');
}

function restyled(before: Style, parameters: string): Style {
  const codes = parameters === '' ? [0] : parameters.split(/[;:]/).map(Number);
  let style = { ...before };
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) style = {};
    else if (code === 1) style.bold = true;
    else if (code === 2) style.faint = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 22) style = { ...style, bold: false, faint: false };
    else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code === 39) delete style.colour;
    else if (code === 49) delete style.ground;
    else if (code === 38 || code === 48) {
      const [name, used] = extended(codes.slice(index + 1));
      index += used;
      if (name !== undefined) style[code === 38 ? 'colour' : 'ground'] = name;
    } else {
      const name = COLOURS[code % 10];
      const tens = Math.floor(code / 10);
      if (name !== undefined && (tens === 3 || tens === 9)) style.colour = name;
      if (name !== undefined && (tens === 4 || tens === 10)) style.ground = name;
    }
  }
  return style;
}

/** A colour by number or by its parts, and how many codes say it. */
function extended(codes: readonly number[]): readonly [name: string | undefined, used: number] {
  const [kind, a = 0, b = 0, c = 0] = codes;
  if (kind === 2) return [nearest(a, b, c), 4];
  if (kind !== 5) return [undefined, 0];
  if (a < 16) return [COLOURS[a % 8], 2];
  if (a >= 232) return [a < 244 ? 'black' : 'white', 2];
  const part = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return [
    nearest(part(Math.floor((a - 16) / 36)), part(Math.floor((a - 16) / 6) % 6), part((a - 16) % 6)),
    2,
  ];
}

function nearest(red: number, green: number, blue: number): string | undefined {
  const line = Math.max(red, green, blue) * 0.6;
  if (Math.max(red, green, blue) < 48) return 'black';
  return COLOURS[(red > line ? 1 : 0) + (green > line ? 2 : 0) + (blue > line ? 4 : 0)];
}

function classesOf({ colour, ground, bold, faint, italic, underline }: Style): string {
  return [
    colour === undefined ? '' : `ansi-${colour}`,
    ground === undefined ? '' : `ansi-on-${ground}`,
    bold === true ? 'ansi-bold' : '',
    faint === true ? 'ansi-faint' : '',
    italic === true ? 'ansi-italic' : '',
    underline === true ? 'ansi-underline' : '',
  ]
    .filter((name) => name !== '')
    .join(' ');
}
