import { ToolError } from '../tool.ts';

/**
 * Names that people and models use for keys that X and xdotool know by another name. They are compared in lower case.
 */
const ALIASES: Readonly<Record<string, string>> = {
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
  arrowup: 'Up',
  backspace: 'BackSpace',
  capslock: 'Caps_Lock',
  caps_lock: 'Caps_Lock',
  cmd: 'super',
  command: 'super',
  control: 'ctrl',
  ctrl: 'ctrl',
  alt: 'alt',
  shift: 'shift',
  meta: 'meta',
  super: 'super',
  del: 'Delete',
  delete: 'Delete',
  down: 'Down',
  end: 'End',
  enter: 'Return',
  esc: 'Escape',
  escape: 'Escape',
  home: 'Home',
  ins: 'Insert',
  insert: 'Insert',
  left: 'Left',
  menu: 'Menu',
  minus: 'minus',
  num_lock: 'Num_Lock',
  numlock: 'Num_Lock',
  option: 'alt',
  pagedown: 'Next',
  page_down: 'Next',
  pageup: 'Prior',
  page_up: 'Prior',
  pgdn: 'Next',
  pgup: 'Prior',
  pause: 'Pause',
  plus: 'plus',
  print: 'Print',
  printscreen: 'Print',
  return: 'Return',
  right: 'Right',
  scroll_lock: 'Scroll_Lock',
  scrolllock: 'Scroll_Lock',
  space: 'space',
  spacebar: 'space',
  tab: 'Tab',
  up: 'Up',
  win: 'super',
  windows: 'super',
};

/** Punctuation by the character itself, which xdotool accepts only by name. */
const PUNCTUATION: Readonly<Record<string, string>> = {
  '!': 'exclam',
  '"': 'quotedbl',
  '#': 'numbersign',
  $: 'dollar',
  '%': 'percent',
  '&': 'ampersand',
  "'": 'apostrophe',
  '(': 'parenleft',
  ')': 'parenright',
  '*': 'asterisk',
  ',': 'comma',
  '-': 'minus',
  '.': 'period',
  '/': 'slash',
  ':': 'colon',
  ';': 'semicolon',
  '<': 'less',
  '=': 'equal',
  '>': 'greater',
  '?': 'question',
  '@': 'at',
  '[': 'bracketleft',
  '\\': 'backslash',
  ']': 'bracketright',
  '^': 'asciicircum',
  _: 'underscore',
  '`': 'grave',
  '{': 'braceleft',
  '|': 'bar',
  '}': 'braceright',
  '~': 'asciitilde',
};

/** Words that xdotool treats as its next command wherever they are, in any case. */
const COMMAND =
  /^((get|set_|mouse|window|behave)[a-z_]*|search|selectwindow|click|key|keydown|keyup|type|exec|sleep|help|version)$/i;

/**
 * Returns the combinations in a `key` text, as the shell of the reference would have split it. Throws ToolError for a
 * name that is a command of xdotool's: `a exec rm x` would run a program and bypass all rules for bash.
 */
export function splitKeys(text: string): string[] {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const command = parts.find((part) => COMMAND.test(part) && part !== 'Help');
  if (command !== undefined) throw new ToolError(`No such key name '${command}'.`);
  return parts;
}

/**
 * Returns the combinations in a `key` text with each key by the name that xdotool knows: `Ctrl+PageDown` ->
 * `ctrl+Next`, `ctrl+-` -> `ctrl+minus`, `ctrl++` -> `ctrl+plus`. Names that need no translation are left as they are.
 */
export function readKeys(text: string): string[] {
  return splitKeys(text).map((combination) => {
    if (combination === '+') return 'plus';
    const keys = combination.endsWith('++') ? `${combination.slice(0, -1)}plus` : combination;
    return keys.split('+').map(keyName).join('+');
  });
}

/**
 * Does what `readKeys` does for the toolset, where keys are distinguished by their letters alone, so `ctrl+S` is
 * `ctrl+s`.
 */
export function readToolsetKeys(text: string): string[] {
  return readKeys(text).map((combination) =>
    combination
      .split('+')
      .map((name) => (/^[A-Z]$/.test(name) ? name.toLowerCase() : name))
      .join('+'),
  );
}

function keyName(name: string): string {
  const lower = name.toLowerCase();
  if (/^f([1-9]|[12][0-9]|3[0-5])$/.test(lower)) return lower.toUpperCase();
  return PUNCTUATION[name] ?? (name.length > 1 ? ALIASES[lower] : undefined) ?? unicodeName(name);
}

/** A character outside ASCII is named by its code point. */
function unicodeName(name: string): string {
  const [char, ...more] = Array.from(name);
  const point = char?.codePointAt(0) ?? 0;
  if (more.length > 0 || point < 0x80) return name;
  return `U${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
