/** The named references that pages use for more than letters. Others stay as they are written. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bull: '•',
  cent: '¢',
  copy: '©',
  deg: '°',
  divide: '÷',
  emsp: ' ',
  ensp: ' ',
  euro: '€',
  frac12: '½',
  ge: '≥',
  gt: '>',
  hellip: '…',
  laquo: '«',
  larr: '←',
  ldquo: '“',
  le: '≤',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  middot: '·',
  minus: '−',
  nbsp: ' ',
  ndash: '–',
  ne: '≠',
  para: '¶',
  plusmn: '±',
  pound: '£',
  quot: '"',
  raquo: '»',
  rarr: '→',
  rdquo: '”',
  reg: '®',
  rsquo: '’',
  sect: '§',
  shy: '',
  szlig: 'ß',
  thinsp: ' ',
  times: '×',
  trade: '™',
  yen: '¥',
  zwj: '',
  zwnj: '',
};
/** Accents in the names of letters, as combining characters. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  cedil: '\u0327',
  circ: '\u0302',
  grave: '\u0300',
  ring: '\u030a',
  tilde: '\u0303',
  uml: '\u0308',
};

/** Replaces a text's character references by the characters. */
export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([A-Za-z][A-Za-z0-9]{1,31}));/g,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) =>
      name === undefined ? character(hex, decimal) : (named(name) ?? whole),
  );
}

function character(hex: string | undefined, decimal: string | undefined): string {
  const point = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  const isText = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isText ? String.fromCodePoint(point) : '\ufffd';
}

function named(name: string): string | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name];
  const [, letter = '', accent = ''] = /^([A-Za-z])([a-z]+)$/.exec(name) ?? [];
  return Object.hasOwn(ACCENTS, accent) ? (letter + ACCENTS[accent]).normalize('NFC') : undefined;
}
