import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentBlockParam, ModelRequest } from '../../../messages/index.ts';
import { countInputTokens, replyTokens } from '../../../messages/tokens/request-tokens.ts';

/** What the API itself counted, from public recordings of it: the short ones, each with where it stands. */
type Recorded = { readonly what: string; readonly source: string } & (
  | { readonly input_tokens: number; readonly request: Pick<ModelRequest, 'model' | 'messages'> }
  | { readonly output_tokens: number; readonly model: string; readonly content: ContentBlockParam[] }
);

const recorded = JSON.parse(
  readFileSync(join(__dirname, 'recorded-counts.json'), 'utf8'),
) as readonly Recorded[];

const actual = (sample: Recorded): number =>
  'request' in sample ? sample.input_tokens : sample.output_tokens;

const counted = (sample: Recorded): number =>
  'request' in sample
    ? countInputTokens({ max_tokens: 1, tools: [], betas: [], ...sample.request })
    : replyTokens(sample.content, sample.model);

/** Docs name these: a change of the weights that passes a bound is a change of docs/tokens.md. */
const MEAN_ERROR = 0.06;
const WORST_ERROR = 0.25;
/** Tokens; below, a single one more is a large part. */
const SHORT = 30;
const SHORT_ERROR = 5;

const long = recorded.filter((sample) => actual(sample) >= SHORT);
const errorOf = (sample: Recorded): number => counted(sample) / actual(sample) - 1;

it('has recorded counts of prose, code, JSON and other scripts, for both tokenizers', () => {
  expect(recorded.length).toBeGreaterThanOrEqual(25);
  const kinds = recorded.map(({ what }) => what).join();
  for (const kind of ['prose', 'code', 'JSON', 'Chinese', 'French', 'tool use']) {
    expect(kinds).toContain(kind);
  }
});

it('is off by 6 % on average, and by 25 % at most', () => {
  const errors = long.map((sample) => Math.abs(errorOf(sample)));
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  if (process.env['PRINT_TOKENS'] === '1') {
    for (const sample of recorded) {
      const line = `${(100 * errorOf(sample)).toFixed(1)} % ${actual(sample)} ${counted(sample)} ${sample.what}`;
      process.stderr.write(`${line}\n`);
    }
    process.stderr.write(
      `mean ${(100 * mean).toFixed(2)} % worst ${(100 * Math.max(...errors)).toFixed(1)} %\n`,
    );
  }
  expect(mean).toBeLessThan(MEAN_ERROR);
  expect(Math.max(...errors)).toBeLessThan(WORST_ERROR);
});

it('is off by less than 3 % in sum', () => {
  const sum = (count: (sample: Recorded) => number): number =>
    recorded.reduce((total, sample) => total + count(sample), 0);
  expect(Math.abs(sum(counted) / sum(actual) - 1)).toBeLessThan(0.03);
});

it.each(
  recorded
    .filter((sample) => actual(sample) < SHORT)
    .map((sample) => [sample.what, actual(sample), sample] as const),
)('is off by a few tokens for short texts: %s, %i', (_what, tokens, sample) => {
  expect(Math.abs(counted(sample) - tokens)).toBeLessThanOrEqual(SHORT_ERROR);
});
