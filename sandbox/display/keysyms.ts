import x11 from 'x11';

/** The Unicode range of keysyms begins here (X protocol, appendix A). */
const UNICODE_KEYSYM = 0x01000000;

/** Keysyms that typing treats specially. */
export const KEYSYM = { Return: 0xff0d, Shift_L: 0xffe1, Caps_Lock: 0xffe5 } as const;

/** Names by which xdotool means other keys than X does. */
const XDOTOOL_NAMES: Readonly<Record<string, string>> = {
  alt: 'Alt_L',
  ctrl: 'Control_L',
  control: 'Control_L',
  enter: 'Return',
  meta: 'Meta_L',
  return: 'Return',
  shift: 'Shift_L',
  super: 'Super_L',
};

/** The keys of the control characters that a keyboard has. */
const CONTROL_KEYS: Readonly<Record<string, number>> = {
  '\b': 0xff08,
  '\t': 0xff09,
  '\n': KEYSYM.Return,
  '\r': KEYSYM.Return,
  '\x1b': 0xff1b,
  '\x7f': 0xffff,
};

/**
 * Returns the keysym that types a character: Latin-1 characters have their own value, the rest is in the Unicode range.
 * Returns undefined for control characters without a key.
 */
export function keysymOfChar(char: string): number | undefined {
  return CONTROL_KEYS[char] ?? keysymOfPoint(char.codePointAt(0) ?? 0);
}

function keysymOfPoint(point: number): number | undefined {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return undefined;
  return point < 0x100 ? point : UNICODE_KEYSYM + point;
}

/**
 * Returns the keysym of a key by its name in X or xdotool (`Return`, `ctrl`, `eacute`, `U20AC`, a single character), or
 * undefined.
 */
export function keysymOfName(name: string): number | undefined {
  const known = x11.keySyms[`XK_${XDOTOOL_NAMES[name] ?? name}`];
  if (known !== undefined) return known.code;
  const unicode = /^U([0-9A-Fa-f]{4,6})$/.exec(name);
  if (unicode?.[1] !== undefined) return keysymOfPoint(Number.parseInt(unicode[1], 16));
  return Array.from(name).length === 1 ? keysymOfPoint(name.codePointAt(0) ?? 0) : undefined;
}
