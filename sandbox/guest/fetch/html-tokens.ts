export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** The content of these elements is not markup. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/**
 * Yields a page's tags and texts in one pass, so that the time is bounded by the page's length whatever it holds.
 * Malformed markup is read as browsers do in the common cases. Comments, doctypes and the like are skipped.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open === -1 ? html.length : open;
    if (end > at) yield { kind: 'text', text: decodeEntities(html.slice(at, end)) };
    if (open === -1) return;
    const next = html[open + 1] ?? '';
    if (html.startsWith('<!--', open)) at = after(html, '-->', open + 4);
    else if (next === '!' || next === '?') at = after(html, '>', open);
    else if (next === '/' && /[a-zA-Z]/.test(html[open + 2] ?? '')) {
      const name = nameAt(html, open + 2);
      at = after(html, '>', open);
      yield { kind: 'close', name: name.toLowerCase() };
    } else if (/[a-zA-Z]/.test(next)) {
      const tag = tagAt(html, open + 1);
      at = tag.end;
      const { name, attributes } = tag;
      yield { kind: 'open', name, attributes };
      if (RAW.has(name) && !tag.selfClosing) {
        const close = endOfRaw(html, name, at);
        // Only these two hold text in which references count.
        if (name === 'title' || name === 'textarea')
          yield { kind: 'text', text: decodeEntities(html.slice(at, close)) };
        at = close;
      }
    } else {
      yield { kind: 'text', text: '<' };
      at = open + 1;
    }
  }
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function endOfRaw(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

const NAME = /[^\s/>]*/y;

function nameAt(html: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(html)?.[0] ?? '';
}

/** One attribute: its name, and its value in double quotes, single quotes or none. */
const ATTRIBUTE = /[\s/]*([^\s=>/][^\s=>/]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y;
const MOST_ATTRIBUTES = 200;

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly selfClosing: boolean;
  /** The position after its `>`. */
  readonly end: number;
}

function tagAt(html: string, start: number): Tag {
  const name = nameAt(html, start);
  const attributes = new Map<string, string>();
  let at = start + name.length;
  for (let count = 0; count < MOST_ATTRIBUTES; count += 1) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(html);
    if (found === null) break;
    at = ATTRIBUTE.lastIndex;
    const [, key = '', double, single, bare] = found;
    attributes.set(key.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''));
  }
  const end = after(html, '>', at);
  return { name: name.toLowerCase(), attributes, selfClosing: html[end - 2] === '/', end };
}

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
function decodeEntities(text: string): string {
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
