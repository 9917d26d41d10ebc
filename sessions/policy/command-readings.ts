/** The ways in which a bash command can be read. */
export interface CommandReadings {
  /** Every simple command, as bash splits the text. Each of them may run. */
  readonly commands: readonly string[];
  /** All texts that may hide a command: the text itself, and the simple commands of everything within quotes. */
  readonly all: readonly string[];
  /** Whether there were more readings than are examined. */
  readonly tooMany: boolean;
}

/** How deep nested quotes and substitutions are read. */
const DEEPEST = 8;
const KEYWORDS = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', 'time', 'coproc', '{', '}', 'fi', 'done', 'esac']); // prettier-ignore
/** The beginnings of arithmetic, expansions and here-documents, after which a `#` may not begin a comment. */
const DOUBTFUL = /\(\(|\$\[|\$\{|<</;
/** Characters that can only be part of a word. */
const PLAIN = /[^\s;&|()#\\'"`$<>]+/y;
/** How many words after a wrapper are tried as the beginning of the command. */
const MOST_WORDS = 40;
/** The most characters of all readings together, as patterns are matched against each. */
const MOST_CHARACTERS = 400_000;
/** Programs and builtins that run the command that follows them. */
const WRAPPERS = new Set(
  'sudo doas env command builtin exec eval nohup nice setsid timeout stdbuf xargs busybox bash sh dash zsh ksh chroot unshare time ionice script find parallel watch flock strace source .'.split(
    ' ',
  ),
);

/** Whether a program runs the command that follows it, such as `sudo`. */
export const isWrapper = (program: string): boolean => WRAPPERS.has(program.toLowerCase());

/**
 * Reads a bash command as far as that is possible without running it. Quotes and backslashes are removed, continued
 * lines are joined, and runs of white space become one space. Commands are split at `;`, `&`, `|`, line ends,
 * parentheses and braces, and those in `$(…)`, `<(…)` and backquotes are commands too. The values of variables, and
 * output of programs that is run, remain unknown.
 */
export function readCommand(text: string): CommandReadings {
  const found = new Scanner(text, 0);
  const all = new Set<string>();
  let characters = 0;
  const add = (reading: string): void => {
    if (all.has(reading)) return;
    all.add(reading);
    characters += reading.length;
  };
  for (const reading of [text, ...found.commands, ...found.hidden]) {
    add(reading);
    for (const inner of unwrapped(reading)) {
      if (characters > MOST_CHARACTERS) return { commands: found.commands, all: [...all], tooMany: true };
      add(inner);
    }
  }
  return { commands: found.commands, all: [...all], tooMany: characters > MOST_CHARACTERS };
}

/**
 * The command without assignments, the program's folder, and programs that run it. After such a program the command may
 * begin at any word, as only the program itself knows which words are its options.
 */
function* unwrapped(command: string): Generator<string> {
  const words = command.split(/\s+/u).filter((word) => word !== '');
  const begin = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
  words.splice(0, begin === -1 ? words.length : begin);
  const named = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  const wrapped = isWrapper(named[0] ?? '');
  for (const [index, word] of words.slice(0, wrapped ? MOST_WORDS : 1).entries()) {
    yield [named[index] ?? word, ...words.slice(index + 1)].join(' ');
    yield words.slice(index).join(' ');
  }
}

class Scanner {
  readonly commands: string[] = [];
  readonly hidden: string[] = [];
  readonly #text: string;
  readonly #depth: number;
  /** The place from which a `#` may not begin a comment. */
  readonly #doubt: number;
  #at = 0;
  #command = '';
  /** Whether the command ends in a space. Asking the growing text itself would copy it each time. */
  #spaced = false;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
    // A text that begins with a parenthesis may be the inside of `$((…))`.
    const doubt = text.startsWith('(') ? 0 : text.search(DOUBTFUL);
    this.#doubt = doubt === -1 ? text.length : doubt;
    if (depth <= DEEPEST) this.#scan();
    else this.commands.push(text);
  }

  #scan(): void {
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      if (';&|()\n'.includes(char)) this.#end(1);
      else if (char === '#' && this.#isComment()) this.#comment();
      else if (char === '\\') this.#backslash();
      else if (char === "'") this.#single();
      else if (char === '"') this.#double();
      else if (char === '`') this.#backquoted();
      else if (char === '$' || char === '<' || char === '>') this.#dollar(char);
      else this.#plain(char);
    }
    this.#end(0);
  }

  #plain(char: string): void {
    PLAIN.lastIndex = this.#at;
    const run = PLAIN.exec(this.#text)?.[0] ?? char;
    this.#at += run.length;
    if (/\s/u.test(char)) this.#space();
    else this.#add(run);
  }

  #add(text: string): void {
    if (text === '') return;
    this.#command += text;
    this.#spaced = text.endsWith(' ');
  }

  #space(): void {
    if (this.#command !== '' && !this.#spaced) this.#add(' ');
  }

  /** Ends a command, and removes the shell's keywords before it. */
  #end(skip: number): void {
    this.#at += skip;
    const words = this.#command.trim().split(' ');
    this.#command = '';
    this.#spaced = false;
    const begin = words.findIndex((word) => !KEYWORDS.has(word));
    const command = begin === -1 ? '' : words.slice(begin).join(' ');
    if (command !== '') this.commands.push(command);
  }

  /** Doubtful cases are no comments, because rules that allow need not cover comments. */
  #isComment(): boolean {
    if (this.#at >= this.#doubt) return false;
    // After a quote or a backslash the word continues, even if it looks empty or ends in a space.
    return /(^|[;&|()\n]|(^|[^\\])[ \t])$/.test(this.#text.slice(Math.max(0, this.#at - 2), this.#at));
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    const comment = this.#text.slice(this.#at, end === -1 ? undefined : end);
    this.#at += comment.length;
    this.#hide(comment.slice(1));
  }

  #backslash(): void {
    const next = this.#text[this.#at + 1] ?? '';
    if (next !== '\n') this.#add(next);
    this.#at += 2;
  }

  #single(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    const inner = this.#text.slice(this.#at + 1, end === -1 ? undefined : end);
    this.#at += inner.length + 2;
    this.#quoted(inner);
  }

  #double(): void {
    let inner = '';
    /**
     * The text without substitutions, which have been read: read again at each depth, they would be read 2^depth times.
     */
    let bare = '';
    const take = (text: string, own = text): void => {
      inner += text;
      bare += own;
    };
    this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at] ?? '';
      const next = this.#text[this.#at + 1] ?? '';
      if (char === '\\') {
        take(next === '\n' ? '' : '$`"\\'.includes(next) ? next : `\\${next}`);
        this.#at += 2;
      } else if (char === '`') take(this.#substituted(this.#backquote()), '$()');
      else if (char === '$' && next === '(') take(this.#substituted(this.#parenthesis(this.#at + 2)), '$()');
      else {
        take(char);
        this.#at += 1;
      }
    }
    this.#at += 1;
    this.#add(inner);
    this.#hide(bare);
  }

  #backquoted(): void {
    this.#add(this.#substituted(this.#backquote()));
  }

  #backquote(): string {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== '`') end += this.#text[end] === '\\' ? 2 : 1;
    const inner = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inner.replaceAll(/\\([$`\\])/g, '$1');
  }

  #dollar(char: string): void {
    const rest = this.#text.slice(this.#at, this.#at + 8);
    const ifs = /^\$(\{IFS\}|IFS(?!\w))/.exec(rest);
    if (ifs !== null) {
      this.#at += ifs[0].length;
      this.#space();
    } else if (rest[1] === '(') this.#add(this.#substituted(this.#parenthesis(this.#at + 2)));
    else if (char === '$' && rest[1] === "'") this.#ansi();
    else if (char === '$' && rest[1] === '"') this.#at += 1;
    else if (char === '$' && rest[1] === '{') {
      // The inside of `${x:-$(rm y)}` is read like other text, with the braces as parts of the word.
      this.#add('${');
      this.#at += 2;
    } else this.#plain(char);
  }

  /** Reads `$'…'`, whose escapes stand for characters. */
  #ansi(): void {
    let end = this.#at + 2;
    while (end < this.#text.length && this.#text[end] !== "'") end += this.#text[end] === '\\' ? 2 : 1;
    const inner = this.#text.slice(this.#at + 2, end);
    this.#at = end + 1;
    this.#quoted(
      inner.replaceAll(
        /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3})|(.))/gis,
        decoded,
      ),
    );
  }

  /** The text up to the closing parenthesis; `from` is the place after the opening one. */
  #parenthesis(from: number): string {
    let depth = 1;
    let end = from;
    let quote = '';
    for (; end < this.#text.length && depth > 0; end += 1) {
      const char = this.#text[end] ?? '';
      if (char === '\\' && quote !== "'") end += 1;
      else if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === "'" || char === '"') quote = char;
      else if (char === '#' && /^[\s;&|(]$/u.test(this.#text[end - 1] ?? '')) {
        const line = this.#text.indexOf('\n', end);
        end = line === -1 ? this.#text.length : line;
      } else if (char === '(') depth += 1;
      else if (char === ')') depth -= 1;
    }
    this.#at = end;
    return this.#text.slice(from, depth === 0 ? end - 1 : end);
  }

  #substituted(command: string): string {
    const inner = new Scanner(command, this.#depth + 1);
    this.commands.push(...inner.commands);
    this.hidden.push(...inner.hidden);
    return `$(${command})`;
  }

  #quoted(text: string): void {
    this.#add(text);
    this.#hide(text);
  }

  #hide(text: string): void {
    const inner = new Scanner(text, this.#depth + 1);
    this.hidden.push(...inner.commands, ...inner.hidden);
  }
}

function decoded(_: string, ...groups: (string | undefined)[]): string {
  const [hex, short, long, octal, char = ''] = groups;
  const point = hex ?? short ?? long;
  if (point !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(point, 16), 0x10ffff));
  if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
  return { n: '\n', t: '\t', r: '\r', e: '\u001b', a: '\u0007' }[char] ?? char;
}
