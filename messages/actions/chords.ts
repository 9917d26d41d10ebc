/**
 * Names of keys in one spelling. The tools with an `action` take xdotool's syntax: X11's names of keys, upper and lower case
 * apart, combinations joined by `+`, several of them with spaces between. The toolset takes one combination whose names are
 * told apart by their letters alone, under common names. An action holds them as X11 has them.
 */

const NAMES = [
  'Return Tab Escape Up Down Left Right Home End Page_Up Page_Down Delete BackSpace Insert Caps_Lock Num_Lock',
  'Scroll_Lock Print Menu Pause space plus minus ctrl shift alt super meta',
  'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24',
].flatMap((names) => names.split(' '));

/** Common names that X11 does not have. */
const ALIASES: Readonly<Record<string, string>> = {
  enter: 'Return',
  esc: 'Escape',
  del: 'Delete',
  ins: 'Insert',
  pageup: 'Page_Up',
  pagedown: 'Page_Down',
  pgup: 'Page_Up',
  pgdn: 'Page_Down',
  arrowup: 'Up',
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
  control: 'ctrl',
  option: 'alt',
  cmd: 'super',
  command: 'super',
  win: 'super',
  windows: 'super',
};

const spellings: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(ALIASES),
]);

const CAPITAL = /^[A-Z]$/;

/** The names of a combination. A `+` at its end, or alone, is the key of that name. */
function namesOf(chord: string): string[] {
  if (chord === '+') return ['plus'];
  if (chord.endsWith('++')) return [...chord.slice(0, -2).split('+'), 'plus'];
  return chord.split('+');
}

/** The combinations of a text in xdotool's syntax, in their order. */
export function chordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** A combination in X11's spelling for the toolset, where a capital letter would mean the small one. */
export function toToolset(chord: string): string {
  const names = namesOf(chord);
  const last = names.at(-1) ?? '';
  if (!CAPITAL.test(last)) return names.join('+');
  const held = names.slice(0, -1).filter((name) => name.toLowerCase() !== 'shift');
  return [...held, 'shift', last.toLowerCase()].join('+');
}

/** The toolset's combination in X11's spelling. A name that is not known here is left as it is. */
export function fromToolset(chord: string): string {
  return namesOf(chord)
    .map((name) => (CAPITAL.test(name) ? name.toLowerCase() : (spellings.get(name.toLowerCase()) ?? name)))
    .join('+');
}
