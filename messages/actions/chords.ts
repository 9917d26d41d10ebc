/**
 * One spelling for the names of keys. The tools with an `action` take xdotool's syntax: X11's case-sensitive names,
 * joined by `+` in a combination, with spaces between combinations. The toolset takes a single combination of common
 * names and ignores case. A `ComputerAction` holds X11's names.
 */

const NAMES = [
  'Return Tab Escape Up Down Left Right Home End Page_Up Page_Down Delete BackSpace Insert Caps_Lock Num_Lock',
  'Scroll_Lock Print Menu Pause space plus minus ctrl shift alt super meta',
  'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24',
].flatMap((names) => names.split(' '));

/** These common names do not exist in X11. */
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

/** Splits a combination into names. A `+` at its end, or alone, is the key `plus`. */
function namesOf(chord: string): string[] {
  if (chord === '+') return ['plus'];
  if (chord.endsWith('++')) return [...chord.slice(0, -2).split('+'), 'plus'];
  return chord.split('+');
}

/** Splits a text in xdotool's syntax into its combinations. */
export function chordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** Writes a combination for the toolset. A capital letter needs `shift`, since the toolset ignores case. */
export function toToolset(chord: string): string {
  const names = namesOf(chord);
  const last = names.at(-1) ?? '';
  if (!CAPITAL.test(last)) return names.join('+');
  const held = names.slice(0, -1).filter((name) => name.toLowerCase() !== 'shift');
  return [...held, 'shift', last.toLowerCase()].join('+');
}

/** Writes the toolset's combination in X11's spelling. A name that is not known here stays as it is. */
export function fromToolset(chord: string): string {
  return namesOf(chord)
    .map((name) => (CAPITAL.test(name) ? name.toLowerCase() : (spellings.get(name.toLowerCase()) ?? name)))
    .join('+');
}
