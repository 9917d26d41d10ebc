import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertProperty, fc } from '../../support/fast-check.ts';
import { estimateTextTokens, textWeight } from '../../../messages/tokens/text-tokens.ts';

const file = (name: string): string => readFileSync(join(__dirname, '../../..', name), 'utf8');
const charactersAToken = (text: string): number => text.length / estimateTextTokens(text);

it('comes to the documented three and a half characters a token in English prose, give or take a fifth', () => {
  const ratio = charactersAToken(file('LICENSE') + file('SECURITY.md'));
  expect(ratio).toBeGreaterThan(3.5 * 0.8);
  expect(ratio).toBeLessThan(3.5 * 1.2);
});

it('counts code as denser than prose', () => {
  const code = charactersAToken(
    'export const f=(a:number):number=>{if(a<=1)return 1;return a*f(a-1);};\n'.repeat(20),
  );
  expect(code).toBeGreaterThan(1.5);
  expect(code).toBeLessThan(charactersAToken(file('LICENSE')));
});

it.each([
  ['', 0],
  ['hello', 1],
  ['hello world', 2],
  ['a'.repeat(52), 13],
  ['123456', 3],
  ['今天天气', 5],
  ['  indented\n\n', 3],
  [' ', 0],
])('counts %j', (text, tokens) => {
  expect(estimateTextTokens(text)).toBe(tokens);
});

const texts = fc.string({ unit: 'grapheme', maxLength: 200 });
const tokenizers = fc.constantFrom('earlier' as const, 'newer' as const);

it('never counts many more tokens than bytes, nor none for something', () => {
  assertProperty(100, texts, tokenizers, (text, tokenizer) => {
    const tokens = estimateTextTokens(text, tokenizer);
    expect(tokens).toBeLessThanOrEqual(Math.ceil(2.4 * Buffer.byteLength(text)));
    expect(tokens).toBeGreaterThanOrEqual(Math.min(1, text.trim().length));
  });
});

it('is monotone: a text with more behind it never costs less', () => {
  assertProperty(500, texts, texts, tokenizers, (text, more, tokenizer) => {
    expect(textWeight(text + more, tokenizer)).toBeGreaterThanOrEqual(textWeight(text, tokenizer) - 1e-9);
  });
});

it('is additive: parts cost together what the whole costs, but for the pieces that were cut', () => {
  assertProperty(500, texts, texts, tokenizers, (text, more, tokenizer) => {
    const parts = textWeight(text, tokenizer) + textWeight(more, tokenizer);
    expect(Math.abs(parts - textWeight(text + more, tokenizer))).toBeLessThan(6);
  });
  assertProperty(100, texts, texts, (text, more) => {
    const parts = textWeight(`${text}\n`) + textWeight(`x${more}`);
    expect(parts).toBeCloseTo(textWeight(`${text}\nx${more}`), 6);
  });
});

it('counts every character once: cutting a text at a line end changes the sum by little', () => {
  const lines = file('CONTRIBUTING.md').split(/(?<=\n)/);
  const whole = estimateTextTokens(lines.join(''));
  const parts = lines.reduce((sum, line) => sum + estimateTextTokens(line), 0);
  expect(Math.abs(parts - whole)).toBeLessThan(lines.length);
});
