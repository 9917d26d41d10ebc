import type { ToolCase } from './tool-case.ts';

const F = 'DIR/f';
const lines = (count: number, of = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${of} ${index + 1}`).join('\n');

const view = (path: string, view_range?: unknown): object => ({
  command: 'view',
  path,
  ...opt({ view_range }),
});
const create = (path: string, file_text?: unknown): object => ({
  command: 'create',
  path,
  ...opt({ file_text }),
});
const replace = (old_str?: unknown, new_str?: unknown, path = F): object => ({
  command: 'str_replace',
  path,
  ...opt({ old_str, new_str }),
});
const insert = (insert_line?: unknown, new_str?: unknown, path = F): object => ({
  command: 'insert',
  path,
  ...opt({ insert_line, new_str }),
});
const undo = (path = F): object => ({ command: 'undo_edit', path });

/** Fields that are not undefined. */
function opt(fields: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function on(name: string, text: string, ...calls: unknown[]): ToolCase {
  return { name, files: { f: { text } }, calls };
}

const ODD_BREAKS = 'a\u000bb\u000cc\u001cd\u001ee\u0085f\u2028g\u2029h\n';
const TEXTS: Readonly<Record<string, string>> = {
  'an empty file': '',
  'one newline': '\n',
  'no newline at the end': 'a\nb',
  'a newline at the end': 'a\nb\n',
  'blank lines': '\n\na\n\n\n',
  unicode: 'häß 日本語 🎉 e\u0301\n\u00a0nbsp\n',
  'a byte order mark': '\ufeffa\nb\n',
  tabs: '\ta\tb\n1234567\tx\n12345678\ty\n\t\t\n日本\tz\n🎉\tz\n',
  CRLF: 'a\r\nb\r\nc',
  'CR alone': 'a\rb\rc',
  'mixed line ends': 'a\r\nb\nc\rd\n\re\r\r\n',
  'odd line breaks': ODD_BREAKS,
  'NUL and control characters': 'a\0b\u0001\u001b[31mred\u007f\n',
  'tabs after CR': '12\r\tx\n',
  'tabs and odd breaks': 'ab\u000b\tx\u2028\ty\u000c\tz\n',
};

const views: ToolCase[] = Object.entries(TEXTS).flatMap(([what, text]) => [
  on(`view ${what}`, text, view(F), view(F, [1, 1]), view(F, [1, -1]), view(F, [2, 3]), view(F, [1, 99])),
  on(`edit ${what}`, text, insert(0, 'NEW'), view(F), undo(), view(F)),
  on(
    `append to ${what}`,
    text,
    insert(1, 'x\ny'),
    insert(2, '\tz'),
    insert(3, ''),
    undo(),
    undo(),
    undo(),
    undo(),
  ),
  on(`replace in ${what}`, text, replace('a', 'A\tB\nC'), view(F), undo(), view(F)),
]);

const RANGES: readonly unknown[] = [
  [1, 12], [1, 13], [12, 12], [12, -1], [13, -1], [13, 13], [0, 1], [-1, 2], [5, 4], [5, 5], [3, -1], [3, -2],
  [3, 0], [1], [], [1, 2, 3], ['1', '2'], [1, '2'], [null, 1], [1.5, 2], [1, 2.5], [true, 2], [1, true],
  [false, 1], [[1], 2], 0, '', false, {}, null, 'ab', '12', { a: 1, b: 2 }, 5, true, 'abc', { a: 1 }, [1, false],
  [99999999999999, 1], [1, 99999999999999], [2.0, 3],
]; // prettier-ignore

const ranges: ToolCase[] = RANGES.map((range) =>
  on(`range ${JSON.stringify(range)}`, `${lines(11)}\n`, view(F, range)),
);

const LINES: readonly unknown[] = [
  -1, -2, 0, 1, 4, 5, 11, 12, 13, 100, null, true, false, '1', 1.5, 1.0, [], {}, '', 10, 6,
]; // prettier-ignore
const inserts: ToolCase[] = [
  ...LINES.map((line) => on(`insert at ${JSON.stringify(line)}`, `${lines(11)}\n`, insert(line, 'NEW'), view(F))),
  ...LINES.slice(0, 9).map((line) => on(`insert without a newline at ${JSON.stringify(line)}`, lines(11), insert(line, 'N\n'), view(F))),
  on('insert nothing', 'a\n', insert(1)),
  on('insert null', 'a\n', insert(1, null)),
  on('insert nowhere', 'a\n', insert(undefined, 'x')),
  on('insert an empty text', 'a\nb\n', insert(1, ''), view(F)),
  on('insert newlines', 'a\nb\n', insert(1, '\n\n'), view(F)),
  on('insert CRLF', 'a\nb\n', insert(1, 'x\r\ny'), view(F)),
  on('insert many lines', `${lines(30)}\n`, insert(15, lines(20, 'new'))),
  on('insert tabs and odd breaks', 'a\nb\n', insert(1, 'x\ty\u000b\u2028\tz\u000c'), view(F)),
  on('insert a number', 'a\n', insert(0, 5)),
  on('insert into an empty file', '', insert(0, 'x'), view(F), insert(1, 'y'), view(F)),
]; // prettier-ignore

const replaces: ToolCase[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 14, 15, 24, 25, 26, 27, 28, 29].map((at) =>
    on(`replace on line ${at + 1} of 30`, `${lines(30)}\n`, replace(`line ${at + 1}\n`, 'X\n')),
  ),
  on('replace the last line', lines(30), replace('line 30', 'X')),
  on('delete by leaving new_str out', 'a\nb\nc\n', replace('b\n'), view(F), undo()),
  on('delete by null', 'a\nb\nc\n', replace('b\n', null), view(F)),
  on('delete everything', 'abc', replace('abc', ''), view(F), undo(), view(F)),
  on('without old_str', 'a\n', replace(undefined, 'x')),
  on('old_str null', 'a\n', replace(null, 'x')),
  on('old_str a number', 'a\n', replace(5, 'x')),
  on('new_str a number', 'a\n', replace('a', 5), view(F)),
  on('an empty old_str', 'a\n', replace('', 'x'), view(F)),
  on('an empty old_str in an empty file', '', replace('', 'x'), view(F), undo()),
  on('an empty old_str twice', 'a', replace('', '')),
  on('not found', 'a\n', replace('b', 'x')),
  on('not found, of several lines', 'a\nb\n', replace('a\nc\n', 'x')),
  on('twice on one line', 'x a a\n', replace('a', 'b')),
  on('on several lines', 'a\nb\na\nc\na', replace('a', 'b')),
  on('overlapping', 'aaa', replace('aa', 'b')),
  on('overlapping twice', 'aaaa', replace('aa', 'b')),
  on('several lines twice', 'a\nb\na\nb\n', replace('a\nb', 'x')),
  on('by the same', 'a\nb\n', replace('a', 'a'), undo(), undo()),
  on('by many lines', `${lines(30)}\n`, replace('line 15', lines(20, 'new'))),
  on('many lines by one', `${lines(30)}\n`, replace(lines(30).split('\n').slice(9, 20).join('\n'), 'one')),
  on('tabs in old_str', '\ta\tb\n', replace('\ta', 'x'), view(F), undo(), view(F)),
  on('spaces for tabs', '\ta\tb\n', replace('        a', 'x'), view(F)),
  on('a shifted tab', 'ab\tc\n', replace('b\tc', 'x')),
  on('a shifted tab with odd breaks', 'ab\u000b\tc\u2028\td\n', replace('c', 'x'), view(F)),
  on('tabs after a wide character', '日\tc\n🎉🎉\td\n', replace('c', '\tx'), view(F)),
  on('CRLF in old_str', 'a\r\nb\r\n', replace('a\r\nb', 'x')),
  on('LF for CRLF', 'a\r\nb\r\n', replace('a\nb', 'x\r\ny'), view(F)),
  on('a combining character', 'e\u0301 é\n', replace('é', 'x'), view(F)),
  on('surrogate pairs', '🎉🎊\n', replace('🎊', '🎈'), view(F)),
  on('a lone surrogate in new_str', 'ab\n', replace('b', '\ud83d'), view(F), undo()),
  on('several lone surrogates', 'ab\n', replace('b', '\ud83d\ud83d x \udc00'), view(F)),
  on('a lone surrogate in old_str', 'ab\n', replace('\ud83d', 'x')),
  on('braces and percents', '{a} %s ${x}\n', replace('{a}', '{b} $& $1 \\1'), view(F)),
  on('backslashes', 'a\\nb\n', replace('\\n', '\\\\'), view(F)),
  on('backticks', '`a`\n', replace('`a`', '`b`'), replace('`c`', 'x')),
  on('a chain of edits undone', 'a\n', replace('a', 'b'), replace('b', 'c'), insert(0, 'top'), undo(), undo(), undo(), undo()),
  on('an edit that failed leaves nothing to undo', 'a\n', replace('z', 'b'), undo()),
  on('undo without an edit', 'a\n', undo()),
  on('undo by another path', 'a\n', replace('a', 'b'), undo('DIR/./f'), undo('DIR//f')),
  on('undo by a path with dots', 'a\n', replace('a', 'b'), undo('DIR/../DIRNAME/f')),
]; // prettier-ignore

const LONG = 16_000;
const clips: ToolCase[] = [
  ...[LONG - 1, LONG, LONG + 1].map((size) => on(`a view of ${size} characters`, 'x'.repeat(size), view(F))),
  ...[LONG - 1, LONG, LONG + 1].map((size) => on(`a view of ${size} wide characters`, '🎉'.repeat(size), view(F))),
  on('a view of many lines', lines(3000), view(F), view(F, [100, 110]), view(F, [100, 2900])),
  on('a clip counted before tabs', '\t'.repeat(LONG + 5), view(F)),
  on('a clip in the middle of a line', `${'y'.repeat(15_990)}\n${'z'.repeat(100)}\n`, view(F)),
  on('a snippet that is clipped', `a\n${'b'.repeat(20_000)}\n`, replace('a', 'c'), insert(1, 'x'), undo()),
  on('CRLF counted as one', 'ab\r\n'.repeat(5_400), view(F)),
]; // prettier-ignore

const paths: ToolCase[] = [
  { name: 'a relative path', calls: [view('f'), view('./f'), view('a//b/'), view('.'), view(''), view('~/f'), create('f', 'x')] },
  { name: 'a missing file', calls: [view('DIR/no'), replace('a', 'b', 'DIR/no'), insert(0, 'a', 'DIR/no'), undo('DIR/no'), view('DIR/no/no')] },
  { name: 'a file as a folder', files: { f: { text: 'x' } }, calls: [view('DIR/f/'), view('DIR/f/x'), create('DIR/f/x', 'y'), view('DIR/f/.')] },
  { name: 'an existing file', files: { f: { text: 'x' } }, calls: [create(F, 'y'), create('DIR', 'y'), create('DIR/./f', 'z'), view(F)] },
  { name: 'create', calls: [create('DIR/a', 'x\ty\r\nz'), view('DIR/a'), undo('DIR/a'), view('DIR/a'), undo('DIR/a')], check: ['a'] },
  { name: 'create an empty file', calls: [create('DIR/a', ''), view('DIR/a'), undo('DIR/a')], check: ['a'] },
  { name: 'create without a text', calls: [create('DIR/a'), create('DIR/a', null)] },
  { name: 'create with wrong types', calls: [create('DIR/a', 5), create('DIR/b', ['x']), create('DIR/c', {}), create('DIR/d', false)] },
  { name: 'create in a missing folder', calls: [create('DIR/x/y', 'z')] },
  { name: 'create below a file', files: { f: { text: '' } }, calls: [create('DIR/f/y', 'z')] },
  { name: 'create with a lone surrogate', calls: [create('DIR/a', 'x\ud83dy'), view('DIR/a'), undo('DIR/a')], check: ['a'] },
  { name: 'create, edit, undo twice', calls: [create('DIR/a', 'x\n'), replace('x', 'y', 'DIR/a'), undo('DIR/a'), undo('DIR/a'), undo('DIR/a')], check: ['a'] },
  { name: 'a name of 255 bytes', calls: [create(`DIR/${'n'.repeat(255)}`, 'x')] },
  { name: 'a name of 256 bytes', calls: [create(`DIR/${'n'.repeat(256)}`, 'x'), view(`DIR/${'n'.repeat(256)}`)] },
  { name: 'a NUL in the path', calls: [view('DIR/a\0b'), create('DIR/a\0b', 'x')] },
  { name: 'a newline in the path', files: { 'a\nb': { text: 'x' } }, calls: [view('DIR/a\nb'), replace('x', 'y', 'DIR/a\nb')] },
  { name: 'quotes in a name', files: { "it's \"q\"": { text: 'x' } }, calls: [view("DIR/it's \"q\""), replace('z', 'y', "DIR/it's \"q\"")] },
  { name: 'unicode in a name', files: { 'ä 日.txt': { text: 'x' } }, calls: [view('DIR/ä 日.txt'), create('DIR/ö', 'y')] },
  { name: 'dots', files: { 'd/f': { text: 'x' } }, calls: [view('DIR/d/../d/f'), view('DIR/d/./f'), view('DIR/nope/../d/f'), view('DIR/..f')] },
  { name: 'two slashes before', calls: [view('//DIR/no'), view('///DIR/no')] },
  { name: 'no command', calls: [{ path: 'DIR' }, { command: null, path: 'DIR' }, {}] },
  { name: 'no path', calls: [{ command: 'view' }, { command: 'view', path: null }, { command: 'view', path: 5 }, { command: 'view', path: ['a'] }] },
  { name: 'an unknown command', files: { f: { text: 'x' } }, calls: [{ command: 'cat', path: F }, { command: '', path: F }, { command: 5, path: F }, { command: 'cat', path: 'DIR' }, { command: 'cat', path: 'DIR/no' }, { command: 'View', path: F }, { command: ['view'], path: F }, { command: { a: null }, path: F }, { command: true, path: F }, { command: "it's", path: F }] },
  { name: 'unknown fields', files: { f: { text: 'x' } }, calls: [{ command: 'view', path: F, more: 1 }, { command: 'view', path: F, old_str: 5, insert_line: 'x' }] },
  { name: 'nulls', files: { f: { text: 'x\n' } }, calls: [{ command: 'view', path: F, view_range: null, old_str: null, new_str: null, insert_line: null, file_text: null }] },
  { name: 'bytes that are not UTF-8', files: { f: { hex: '61ff62' } }, calls: [view(F), replace('a', 'b'), insert(0, 'x'), undo()], check: ['f'] },
  { name: 'a picture', files: { f: { hex: '89504e470d0a1a0a0000000d' } }, calls: [view(F)] },
  { name: 'UTF-16', files: { f: { hex: 'fffe61000a00' } }, calls: [view(F)] },
  { name: 'surrogates in bytes', files: { f: { hex: 'eda0bdedb880' } }, calls: [view(F)] },
  { name: 'a cut character at the end', files: { f: { hex: '61e697' } }, calls: [view(F)] },
  { name: 'an overlong form', files: { f: { hex: 'c0af' } }, calls: [view(F)] },
  { name: 'a link to a file', files: { t: { text: 'x\n' }, l: { link: 't' } }, calls: [view('DIR/l'), replace('x', 'y', 'DIR/l'), view('DIR/t'), undo('DIR/t'), undo('DIR/l')], check: ['t'] },
  { name: 'a dangling link', files: { l: { link: 'no' } }, calls: [view('DIR/l'), replace('x', 'y', 'DIR/l'), create('DIR/l', 'x'), view('DIR/no')] },
  { name: 'links in a circle', files: { a: { link: 'b' }, b: { link: 'a' } }, calls: [view('DIR/a'), create('DIR/a', 'x')] },
  { name: 'a link to a folder', files: { 'd/f': { text: '' }, l: { link: 'd' } }, calls: [view('DIR/l'), replace('a', 'b', 'DIR/l'), view('DIR/l/f')] },
  { name: 'a FIFO', files: { f: { fifo: true } }, calls: [view(F)], hangs: true },
  { name: 'a file without rights', files: { f: { text: 'x', mode: 0 } }, calls: [view(F), replace('x', 'y'), insert(0, 'x'), create(F, 'x')], unprivileged: true },
  { name: 'a file to be read only', files: { f: { text: 'x', mode: 0o444 } }, calls: [view(F), replace('x', 'y'), undo()], unprivileged: true, check: ['f'] },
  { name: 'a folder without rights', files: { d: { folder: true, mode: 0 } }, calls: [view('DIR/d'), view('DIR/d/x'), create('DIR/d/x', 'y'), view('DIR')], unprivileged: true },
  { name: 'a folder to be read only', files: { d: { folder: true, mode: 0o555 } }, calls: [view('DIR/d'), create('DIR/d/x', 'y')], unprivileged: true },
  { name: 'a device', calls: [create('/dev/null', 'x')] },
  { name: 'a file of the system', calls: [replace('a', 'b', '/proc/version')], unprivileged: true },
  { name: 'a folder and every other command', files: { d: { folder: true } }, calls: [replace('a', 'b', 'DIR/d'), insert(0, 'a', 'DIR/d'), undo('DIR/d'), create('DIR/d', 'x'), replace(undefined, undefined, 'DIR/d')] },
  { name: 'missing things of a file', files: { f: { text: 'x' } }, calls: [{ command: 'str_replace', path: F }, { command: 'insert', path: F }, { command: 'insert', path: F, new_str: 'x' }, { command: 'insert', path: F, insert_line: 0 }, { command: 'create', path: F }] },
]; // prettier-ignore

const tree = {
  'b.txt': { text: '' },
  'a/x': { text: '' },
  'a/deep/y': { text: '' },
  'a/deep/deeper/z': { text: '' },
  '.hidden/x': { text: '' },
  'a/.secret': { text: '' },
} as const;
const folders: ToolCase[] = [
  { name: 'a folder', files: tree, calls: [view('DIR'), view('DIR/'), view('DIR/a'), view('DIR/a/deep')], sorted: true },
  { name: 'a folder with a range', files: tree, calls: [view('DIR', [1, 2]), view('DIR', []), view('DIR', [1]), view('DIR', 'x'), view('DIR', 0)], sorted: true },
  { name: 'an empty folder', files: { d: { folder: true } }, calls: [view('DIR/d')] },
  { name: 'a hidden folder', files: tree, calls: [view('DIR/.hidden')] },
  { name: 'a folder below a hidden one', files: { '.h/d/f': { text: '' } }, calls: [view('DIR/.h/d')] },
  { name: 'a folder with links', files: { 'd/f': { text: '' }, 'x/l': { link: '../d' }, 'x/m': { link: 'no' } }, calls: [view('DIR'), view('DIR/x')], sorted: true },
  { name: 'a folder by a link', files: { 'd/f': { text: '' }, l: { link: 'd' } }, calls: [view('DIR/l')] },
  { name: 'names with spaces, quotes and newlines', files: { 'a b': { text: '' }, "c'd": { text: '' }, 'e"f': { text: '' }, 'g\nh': { text: '' }, '-x': { text: '' }, '*': { text: '' }, '$HOME': { text: '' }, 'ä日': { text: '' } }, calls: [view('DIR')], sorted: true },
  { name: 'many entries', files: Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`file-number-${String(index).padStart(4, '0')}`, { text: '' }])), calls: [view('DIR')], loose: true },
]; // prettier-ignore

const brokenFolders: ToolCase[] = [
  { name: 'a folder with a space', files: { 'a b/f': { text: '' } }, calls: [view('DIR/a b')] },
  { name: 'a folder with a quote', files: { "a'b/f": { text: '' } }, calls: [view("DIR/a'b")] },
  { name: 'a folder with a dollar', files: { 'a$(echo x)/f': { text: '' } }, calls: [view('DIR/a$(echo x)')], loose: true },
  { name: 'a folder with a star', files: { 'a*/f': { text: '' }, 'ab/g': { text: '' } }, calls: [view('DIR/a*')], loose: true },
  { name: 'a folder with a semicolon', files: { 'a;id/f': { text: '' } }, calls: [view('DIR/a;id')], loose: true },
]; // prettier-ignore

export const EDITOR_CASES: readonly ToolCase[] = [
  ...views, ...ranges, ...inserts, ...replaces, ...clips, ...paths, ...folders, ...brokenFolders,
]; // prettier-ignore
