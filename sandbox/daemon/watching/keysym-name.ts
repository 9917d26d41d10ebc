/** The keys of X's keysymdef.h that have a name and write no character. */
const NAMES: Readonly<Record<number, string>> = {
  0xff08: 'BackSpace',
  0xff09: 'Tab',
  0xff0d: 'Return',
  0xff13: 'Pause',
  0xff14: 'Scroll_Lock',
  0xff1b: 'Escape',
  0xff20: 'Multi_key',
  0xff50: 'Home',
  0xff51: 'Left',
  0xff52: 'Up',
  0xff53: 'Right',
  0xff54: 'Down',
  0xff55: 'Prior',
  0xff56: 'Next',
  0xff57: 'End',
  0xff61: 'Print',
  0xff63: 'Insert',
  0xff67: 'Menu',
  0xff7f: 'Num_Lock',
  0xff8d: 'KP_Enter',
  0xffe1: 'Shift_L',
  0xffe2: 'Shift_R',
  0xffe3: 'Control_L',
  0xffe4: 'Control_R',
  0xffe5: 'Caps_Lock',
  0xffe7: 'Meta_L',
  0xffe8: 'Meta_R',
  0xffe9: 'Alt_L',
  0xffea: 'Alt_R',
  0xffeb: 'Super_L',
  0xffec: 'Super_R',
  0xfe03: 'ISO_Level3_Shift',
  0xfe20: 'ISO_Left_Tab',
  0xffff: 'Delete',
  0x20: 'space',
};

/**
 * A keysym as it is named in events: the name of a key without a character (`Return`, `F5`, `KP_7`, also `space`), the
 * character itself for one with (`a`, `!`, `é`), else its number (`0x1008ff13`).
 */
export function keysymName(keysym: number): string {
  const name = NAMES[keysym];
  if (name !== undefined) return name;
  if (keysym >= 0xffbe && keysym <= 0xffe0) return `F${keysym - 0xffbd}`;
  if (keysym >= 0xffb0 && keysym <= 0xffb9) return `KP_${keysym - 0xffb0}`;
  const isLatin1 = (keysym > 0x20 && keysym < 0x7f) || (keysym > 0xa0 && keysym <= 0xff);
  if (isLatin1) return String.fromCodePoint(keysym);
  const point = keysym - 0x01000000;
  const isCharacter = point >= 0x100 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : `0x${keysym.toString(16)}`;
}
