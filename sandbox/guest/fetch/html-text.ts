import { htmlTokens, type HtmlToken } from './html-tokens.ts';

interface PageText {
  readonly title: string;
  /** Markdown: headings, paragraphs, lists, links, code, and tables as rows of cells. */
  readonly text: string;
}

/** No text of these elements is shown. */
const SKIPPED = new Set([
  'script',
  'style',
  'template',
  'svg',
  'noscript',
  'iframe',
  'object',
  'canvas',
  'head',
  'datalist',
  'math',
]);
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hr li main nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
);
/** These elements have no closing tag. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Extracts the readable text of an HTML page. Links and pictures get absolute addresses. */
export function htmlText(html: string, base: string): PageText {
  const page = new Page(base);
  for (const token of htmlTokens(html)) page.take(token);
  return page.finish();
}

class Page {
  readonly #base: string;
  #parts: string[] = [];
  #title = '';
  #inTitle = false;
  /** The outermost open element of which nothing is shown, and how many of its name are open. */
  #skipped: { readonly name: string; depth: number } | null = null;
  /** How many `pre` elements are open; inside one, white space counts. */
  #pre = 0;
  readonly #lists: { readonly ordered: boolean; count: number }[] = [];
  /** The open link: the part at which its text begins, and its address. */
  #link: { readonly from: number; readonly href: string | null } | null = null;

  constructor(base: string) {
    this.#base = base;
  }

  take(token: HtmlToken): void {
    if (token.kind === 'text') this.#text(token.text);
    else if (token.kind === 'open') this.#open(token.name, token.attributes);
    else this.#close(token.name);
  }

  finish(): PageText {
    // Lines are trimmed one by one: a pattern for the spaces before a line's end would look at long runs of them again
    // and again.
    const lines = this.#parts.join('').split('\n');
    const text = lines
      .map((line) => line.trimEnd())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
    return { title: this.#title.replaceAll(/\s+/g, ' ').trim(), text };
  }

  #text(text: string): void {
    if (this.#inTitle) this.#title += text;
    else if (this.#skipped !== null) return;
    else if (this.#pre > 0) this.#parts.push(text);
    else {
      const shown = text.replaceAll(/[\s\u00a0]+/g, ' ');
      if (shown === ' ' && /(?:^|\s)$/.test(this.#parts.at(-1) ?? '')) return;
      const isFirst = /(?:^|\n)$/.test(this.#parts.at(-1) ?? '');
      const kept = isFirst ? shown.replace(/^ /, '') : shown;
      if (kept !== '') this.#parts.push(kept);
    }
  }

  #open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'title') this.#inTitle = this.#title === '';
    // A page may leave out the end of its head.
    if (name === 'body' && this.#skipped?.name === 'head') this.#skipped = null;
    if (this.#skipped !== null) {
      if (name === this.#skipped.name) this.#skipped.depth += 1;
      return;
    }
    if (SKIPPED.has(name)) {
      this.#skipped = { name, depth: 1 };
      return;
    }
    if (BLOCKS.has(name)) this.#block(name);
    switch (name) {
      case 'br':
        this.#parts.push('\n');
        break;
      case 'hr':
        this.#parts.push('---\n\n');
        break;
      case 'ul':
      case 'ol':
        this.#lists.push({ ordered: name === 'ol', count: 0 });
        break;
      case 'td':
      case 'th':
        if (!/(?:^|\n)$/.test(this.#parts.at(-1) ?? '')) this.#parts.push(' | ');
        break;
      case 'pre':
        this.#pre += 1;
        this.#parts.push('```\n');
        break;
      case 'code':
        if (this.#pre === 0) this.#parts.push('`');
        break;
      case 'a':
        // Links do not nest: the next one ends the previous one.
        this.#closeLink();
        this.#link = { from: this.#parts.length, href: this.#address(attributes.get('href')) };
        break;
      case 'img':
        this.#picture(attributes);
        break;
      default:
        if (/^h[1-6]$/.test(name)) this.#parts.push(`${'#'.repeat(Number(name[1]))} `);
        if (name === 'li') this.#parts.push(this.#bullet());
        break;
    }
  }

  #close(name: string): void {
    if (name === 'title') this.#inTitle = false;
    if (this.#skipped !== null) {
      if (name === this.#skipped.name) this.#skipped.depth -= 1;
      if (this.#skipped.depth === 0) this.#skipped = null;
      return;
    }
    if (VOID.has(name)) return;
    if (name === 'a') this.#closeLink();
    if (name === 'code' && this.#pre === 0) this.#parts.push('`');
    if (name === 'pre' && this.#pre > 0) {
      this.#pre -= 1;
      this.#parts.push('\n```');
    }
    if (name === 'ul' || name === 'ol') this.#lists.pop();
    if (BLOCKS.has(name)) this.#block(name);
  }

  /** Begins a line, preceded by an empty line unless it is part of a list or a table. */
  #block(name: string): void {
    if (this.#parts.length === 0) return;
    const close = name === 'li' || name === 'tr' || name === 'dt' || name === 'dd' || this.#lists.length > 0;
    const end = this.#parts.at(-1) ?? '';
    // A list item's content starts on the line of its marker.
    if (close && /^\s*(?:-|\d+\.) $/.test(end)) return;
    if (!close || !end.endsWith('\n')) this.#parts.push(close ? '\n' : '\n\n');
  }

  #bullet(): string {
    const list = this.#lists.at(-1);
    if (list === undefined) return '- ';
    list.count += 1;
    const indent = '  '.repeat(Math.min(this.#lists.length - 1, 10));
    return indent + (list.ordered ? `${list.count}. ` : '- ');
  }

  #closeLink(): void {
    const link = this.#link;
    this.#link = null;
    if (link === null || link.href === null) return;
    const text = this.#parts.slice(link.from).join('');
    const said = text.replaceAll(/\s+/g, ' ').trim();
    if (said === '') return;
    const lead = /^\s*/.exec(text)?.[0] ?? '';
    const trail = /\s$/.test(text) ? ' ' : '';
    this.#parts.length = link.from;
    this.#parts.push(`${lead}[${said}](${link.href})${trail}`);
  }

  #picture(attributes: ReadonlyMap<string, string>): void {
    const alt = attributes.get('alt')?.trim() ?? '';
    const source = this.#address(attributes.get('src'));
    if (alt !== '' && source !== null) this.#parts.push(`![${alt}](${source})`);
  }

  /** Returns the absolute address of a web page; null for anything else. */
  #address(href: string | undefined): string | null {
    if (href === undefined || href.startsWith('#') || !URL.canParse(href, this.#base)) return null;
    const { protocol, href: whole } = new URL(href, this.#base);
    return protocol === 'http:' || protocol === 'https:' ? whole : null;
  }
}
