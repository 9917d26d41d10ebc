import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { estimateTextTokens } from '../../../messages/index.ts';

const file = (name: string): string => readFileSync(join(__dirname, '../../..', name), 'utf8');
const charactersAToken = (text: string): number => text.length / estimateTextTokens(text);

it('comes to the documented three and a half characters a token in English prose, give or take a fifth', () => {
  const ratio = charactersAToken(file('LICENSE') + file('CONTRIBUTING.md'));
  expect(ratio).toBeGreaterThan(3.5 * 0.8);
  expect(ratio).toBeLessThan(3.5 * 1.2);
});

it('counts code as denser than prose', () => {
  const code = charactersAToken(file('messages/schema/request-schema.ts'));
  expect(code).toBeGreaterThan(2.5);
  expect(code).toBeLessThan(charactersAToken(file('LICENSE')));
});

it.each([
  ['', 0],
  ['hello', 1],
  ['hello world', 2],
  ['a'.repeat(52), 10],
  ['123456', 2],
  ['今天天气', 4],
  ['  indented\n\n', 4],
])('counts %j', (text, tokens) => {
  expect(estimateTextTokens(text)).toBe(tokens);
});

it('never counts more tokens than bytes, nor none for something', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const tokens = estimateTextTokens(text);
      expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
      expect(tokens).toBeGreaterThanOrEqual(text === ' ' ? 0 : Math.min(1, text.trim().length));
    }),
  );
});

it('counts every character once: cutting a text at a line end changes the sum by little', () => {
  const lines = file('CONTRIBUTING.md').split(/(?<=\n)/);
  const whole = estimateTextTokens(lines.join(''));
  const parts = lines.reduce((sum, line) => sum + estimateTextTokens(line), 0);
  expect(Math.abs(parts - whole)).toBeLessThan(lines.length);
});
