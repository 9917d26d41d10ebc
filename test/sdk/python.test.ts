import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  failingStream,
  failure,
  overloaded,
  rateLimited,
  reply,
  silent,
  startUpstream,
  type AnthropicUpstream,
  type Handler,
  type SeenRequest,
} from '../support/anthropic-upstream.ts';
import { Product } from '../support/product.ts';
import { obligingModel } from './model-double.ts';

/** The official Python client, unmodified, against the product as it is started: see python/conformance.py. */

const SCRIPT = path.resolve('test/sdk/python/conformance.py');
const PYTHON = process.env['STEADYHAND_PYTHON'] ?? 'python3';

/** Why it cannot run; undefined when it can. */
function hindrance(): string | undefined {
  const { status, error } = spawnSync(PYTHON, ['-c', 'import anthropic'], { encoding: 'utf8' });
  if (error !== undefined) return `there is no ${PYTHON} (STEADYHAND_PYTHON may name another)`;
  return status === 0 ? undefined : `${PYTHON} has no package anthropic (STEADYHAND_PYTHON may name another)`;
}
const reason = hindrance();
const describeWithPython = reason === undefined ? describe : describe.skip;

const checks = [...readFileSync(SCRIPT, 'utf8').matchAll(/^@check\ndef (\w+)/gm)].map(
  ([, name = '']) => name,
);

const TYPES: Readonly<Record<string, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
const TIMES: Readonly<Record<string, number>> = { once: 1, twice: 2, thrice: 3 };

/** A model that fails as the last message says, and otherwise does as it is asked. */
function commandedModel(): Handler {
  const asked = new Map<string, number>();
  const choose = ({ body }: SeenRequest): Handler => {
    const content = (body['messages'] as readonly { content: unknown }[] | undefined)?.at(-1)?.content;
    const text = typeof content === 'string' ? content : '';
    const [, status = '', times = ''] = /^(?:fault|retry) (\d+)(?: (\w+))?/.exec(text) ?? [];
    if (text.startsWith('fault'))
      return failure(Number(status), TYPES[status] ?? 'api_error', 'as commanded');
    if (text.startsWith('retry')) {
      const before = asked.get(text) ?? 0;
      asked.set(text, before + 1);
      if (before >= (TIMES[times] ?? 0)) return obligingModel;
      if (status === '429') return rateLimited({ 'retry-after-ms': '5' });
      return status === '529'
        ? overloaded({ 'retry-after-ms': '5' })
        : failure(500, 'api_error', 'x', { 'retry-after-ms': '5' });
    }
    if (text === 'error event') return failingStream('half an answer', 5, 'overloaded_error', 'Overloaded');
    if (text === 'cut stream') return reply('half an answer', { cutAfter: 5 });
    if (text === 'hang') return silent;
    if (text === 'held stream') {
      return reply('one two three four', {
        before: (at) => (at === 5 ? new Promise(() => undefined) : undefined),
      });
    }
    return obligingModel;
  };
  return (request, response) => choose(request)(request, response);
}

describeWithPython(`the Python client${reason === undefined ? '' : ` is not here: ${reason}`}`, () => {
  let upstream: AnthropicUpstream;
  let product: Product;
  let lines: readonly string[] = [];

  beforeAll(async () => {
    upstream = await startUpstream();
    upstream.answer = commandedModel();
    upstream.models = ['claude-python', 'claude-1', 'claude-2'].map((id) => ({ id }));
    product = new Product({ ANTHROPIC_API_KEY: 'sk-test-upstream', ANTHROPIC_BASE_URL: upstream.baseURL });
    await product.start();
    const child = spawn(PYTHON, [SCRIPT], {
      env: { ...process.env, BASE_URL: product.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    await once(child, 'close');
    lines = said.split('\n');
  }, 180_000);

  afterAll(async () => {
    await product.dispose();
    await upstream.close();
  }, 120_000);

  it.each(checks)('%s', (name) => {
    expect(
      lines.find((line) => line.startsWith(`ok ${name}`) || line.startsWith(`FAIL ${name}`)) ?? lines,
    ).toBe(`ok ${name}`);
  });

  it('leaves nothing under way upstream', async () => {
    // The request that timed out, and the stream that was left; the stream that was cut counts itself.
    await upstream.gone(3);
    expect(upstream.cut()).toBe(3);
  });
});
