import { findText } from '../../../../messages/providers/script/find-text.ts';
import { readText } from '../../../../messages/providers/script/screen-rows.ts';
import type { ScreenLine } from '../../../../messages/providers/script/text-recognizer.ts';
import { line } from './screen.ts';

const column = (...texts: string[]): ScreenLine[] => texts.map((text, index) => line(text, 0, 40 * index));
/** What is found, as `[text, line]`. */
const hits = (lines: readonly ScreenLine[], wanted: string): string[] =>
  findText(lines, wanted).map(({ text, line: whole, exactness }) => `${exactness}: ${text} < ${whole}`);

describe('exactness', () => {
  it.each([
    ['the same words', ['Save'], 'Save', 'exact: Save < Save'],
    [
      'words within a line',
      ['Do you want to save it?'],
      'want to save',
      'exact: want to save < Do you want to save it?',
    ],
    ['words beside punctuation', ['"note.txt", Name:'], 'note.txt', 'exact: note.txt < "note.txt", Name:'],
    ['punctuation of its own', ['Save As...'], 'Save As...', 'exact: Save As... < Save As...'],
    ['another case', ['SAVE'], 'save', 'case: SAVE < SAVE'],
    ['a full-width form', ['Name：'], 'Name:', 'case: Name： < Name：'],
    ['a lost space', ['goodmorning'], 'good morning', 'spaces: goodmorning < goodmorning'],
    ['a space too many', ['note . txt'], 'note.txt', 'spaces: note . txt < note . txt'],
    ['0 for O', ['0K'], 'OK', 'near: 0K < 0K'],
    ['l for I and 1', ['Fi1e l'], 'File 1', 'near: Fi1e l < Fi1e l'],
    ['rn for m', ['Docurnent'], 'Document', 'near: Docurnent < Docurnent'],
    ['m for rn', ['Moming'], 'Morning', 'near: Moming < Moming'],
    ['one letter of five', ['Cancol'], 'Cancel', 'near: Cancol < Cancol'],
    ['a letter lost inside', ['Prefernces'], 'Preferences', 'near: Prefernces < Prefernces'],
    ['a letter more inside', ['Canncel'], 'Cancel', 'near: Canncel < Canncel'],
    ['a text cursor behind', ['good eveningl'], 'good evening', 'near: good evening < good eveningl'],
    ['a text cursor before', ['|Bob'], 'Bob', 'exact: Bob < |Bob'],
    ['a text cursor read as a letter', ['IBob Smith'], 'Bob', 'near: Bob < IBob Smith'],
    ['a language without spaces', ['文件保存为'], '保存', 'exact: 保存 < 文件保存为'],
  ])('takes %s', (_what, texts, wanted, expected) => {
    expect(hits(column(...texts), wanted)).toEqual([expected]);
  });

  it.each([
    ['a part of a word', 'Unsaved', 'save'],
    ['the beginning of a word', 'Saved', 'Save'],
    ['a word with another ending', 'Close', 'Closed'],
    ['another digit', 'Chapter 2', 'Chapter 1'],
    ['a digit more', 'Chapter 11', 'Chapter 1'],
    ['a digit for a letter that it is not like', 'Cance7', 'Cancel'],
    ['one letter of four', 'Sane', 'Save'],
    ['two letters', 'Concol', 'Cancel'],
    ['words that other words part', 'good early morning', 'good morning'],
  ])('does not take %s', (_what, text, wanted) => {
    expect(hits(column(text), wanted)).toEqual([]);
  });

  it('prefers the stricter, wherever it stands', () => {
    expect(hits(column('0K', 'ok', 'OK'), 'OK')).toEqual(['exact: OK < OK']);
    expect(hits(column('Cancol', 'CANCEL'), 'Cancel')).toEqual(['case: CANCEL < CANCEL']);
  });
});

describe('order', () => {
  it('puts whole lines first, then goes from the top and the left', () => {
    const lines = [
      line('Open', 300, 200),
      line('Open Recent', 0, 0),
      line('Open...', 500, 100),
      line('Open', 100, 202),
    ];
    expect(findText(lines, 'Open').map(({ box }) => box.slice(0, 2))).toEqual([
      [500, 100],
      [100, 202],
      [300, 200],
      [0, 0],
    ]);
  });

  it('does not go by the score, in which equal texts differ by chance', () => {
    const lines = [line('OK', 0, 0, 0.9), line('OK', 0, 100, 0.99)];
    expect(findText(lines, 'OK').map(({ box }) => box[1])).toEqual([0, 100]);
  });

  it('finds several in a line', () => {
    expect(hits(column('yes no yes'), 'yes')).toHaveLength(2);
  });
});

describe('boxes', () => {
  it("are the words' own where they are known", () => {
    const text: ScreenLine = {
      ...line('File Edit View', 10, 20),
      words: [
        { text: 'File', box: [10, 20, 30, 36] },
        { text: 'Edit', box: [50, 20, 80, 36] },
        { text: 'View', box: [100, 20, 140, 36] },
      ],
    };
    expect(findText([text], 'Edit')[0]?.box).toEqual([50, 20, 80, 36]);
    expect(findText([text], 'Edit View')[0]?.box).toEqual([50, 20, 140, 36]);
  });

  it("are the characters' part of the line where they are not", () => {
    expect(findText([line('Name: Bob', 100, 0)], 'Bob')[0]?.box).toEqual([148, 0, 172, 16]);
    expect(findText([line('Name:', 100, 0)], 'Name')[0]?.box).toEqual([100, 0, 132, 16]);
  });

  it('span the punctuation that touches them', () => {
    expect(findText([line('(Name): Bob', 100, 0)], 'Name')[0]).toMatchObject({
      box: [108, 0, 140, 16],
      span: [100, 0, 156, 16],
    });
    expect(findText([line('Name', 0, 0), line(':', 40, 0)], 'Name')[0]?.span).toEqual([0, 0, 32, 16]);
  });
});

describe('rows', () => {
  it('join what stands side by side, as recognition cuts lines where words stand apart', () => {
    const lines = [line('morning', 50, 1), line('good', 0, 0)];
    expect(findText(lines, 'good morning')).toMatchObject([
      { box: [0, 0, 106, 17], isWholeLine: true, line: 'good morning' },
    ]);
    expect(findText(lines, 'morning')).toMatchObject([{ isWholeLine: true }]);
  });

  it('do not join what stands apart', () => {
    expect(hits([line('good', 0, 0), line('morning', 60, 0)], 'good morning')).toEqual([]);
    expect(hits([line('good', 0, 0), line('morning', 0, 17)], 'good morning')).toEqual([]);
  });

  it('are told in reading order', () => {
    const lines = [line('below', 0, 40), line('right', 200, 2), line('left', 0, 0), line(' ', 90, 0)];
    expect(readText(lines)).toBe('left | right | below');
  });
});

it('finds nothing where nothing was read', () => {
  expect(findText([], 'OK')).toEqual([]);
});
