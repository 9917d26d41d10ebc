import { createReadStream } from 'node:fs';
import type Anthropic from '@anthropic-ai/sdk';
import { NotFoundError } from '@anthropic-ai/sdk';
import { startUpstream, type AnthropicUpstream } from '../support/anthropic-upstream.ts';
import { Product } from '../support/product.ts';
import { ASK, MODEL } from './front.ts';
import { obligingModel } from './model-double.ts';
import { fromUser } from '../support/blocks.ts';
import { pacing } from '../support/pacing.ts';

/** The official TypeScript client, unmodified, against the product as it is started: batches, files, counting, models. */

let upstream: AnthropicUpstream;
let product: Product;
let client: Anthropic;

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.answer = obligingModel;
  upstream.models = Array.from({ length: 25 }, (_, index) => ({ id: `claude-${index}` }));
  product = new Product({ ANTHROPIC_API_KEY: 'sk-test-upstream', ANTHROPIC_BASE_URL: upstream.baseURL });
  await product.start();
  client = product.client;
}, 120_000);

afterAll(async () => {
  await product.dispose();
  await upstream.close();
}, 120_000);

async function ended(id: string): Promise<Anthropic.Messages.MessageBatch> {
  const pause = pacing();
  for (;;) {
    const batch = await client.messages.batches.retrieve(id);
    if (batch.processing_status === 'ended') return batch;
    await pause();
  }
}

describe('batches', () => {
  it('are made, end, give their results and are deleted', async () => {
    const { model, ...bad } = ASK;
    const made = await client.messages.batches.create({
      requests: [
        { custom_id: 'good', params: ASK },
        { custom_id: 'bad', params: { ...bad, model, messages: [] } },
        {
          custom_id: 'script',
          params: { ...ASK, model: 'script', messages: [{ role: 'user', content: '- say: hello' }] },
        },
      ],
    });
    expect(made).toMatchObject({
      type: 'message_batch',
      processing_status: 'in_progress',
      results_url: null,
    });
    expect(await ended(made.id)).toMatchObject({
      request_counts: { succeeded: 2, errored: 1, processing: 0, canceled: 0, expired: 0 },
    });
    const results = new Map<string, Anthropic.Messages.MessageBatchResult>();
    for await (const { custom_id, result } of await client.messages.batches.results(made.id)) {
      results.set(custom_id, result);
    }
    expect(results.get('good')).toMatchObject({
      type: 'succeeded',
      message: { model: MODEL, stop_reason: 'end_turn' },
    });
    expect(results.get('script')).toMatchObject({ type: 'succeeded', message: { model: 'script' } });
    expect(results.get('bad')).toMatchObject({
      type: 'errored',
      error: { error: { type: 'invalid_request_error' } },
    });
    expect(await client.messages.batches.delete(made.id)).toMatchObject({
      id: made.id,
      type: 'message_batch_deleted',
    });
    await expect(client.messages.batches.retrieve(made.id)).rejects.toBeInstanceOf(NotFoundError);
  });

  it('are cancelled, and listed by the pagination helper', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { id, created_at } = await client.beta.messages.batches.create({
        requests: [{ custom_id: 'one', params: ASK }],
      });
      ids.unshift(id);
      // Ids sort by the millisecond.
      while (new Date().toISOString() <= created_at) await client.messages.batches.retrieve(id);
    }
    await client.messages.batches.cancel(ids[0] ?? '');
    await Promise.all(ids.map(ended));
    const listed: string[] = [];
    for await (const { id } of client.messages.batches.list({ limit: 2 })) listed.push(id);
    expect(listed).toEqual(ids);
  });

  it('read files', async () => {
    const { id } = await client.files.upload({ file: new File(['A text'], 'a.txt') });
    const content: Anthropic.Beta.Messages.BetaContentBlockParam[] = [
      { type: 'document', source: { type: 'file', file_id: id } },
    ];
    upstream.seen.length = 0;
    const made = await client.beta.messages.batches.create({
      requests: [{ custom_id: 'one', params: { ...ASK, messages: [{ role: 'user', content }] } }],
    });
    await ended(made.id);
    expect(upstream.seen[0]?.body['messages']).toEqual([
      fromUser([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A text' } }]),
    ]);
    await client.files.delete(id);
  });
});

it('files go up from the disk, stand in requests, come down and are listed', async () => {
  const { id, filename, mime_type } = await client.files.upload({
    file: createReadStream('docs/container.md'),
  });
  expect([filename, mime_type]).toEqual(['container.md', 'text/markdown']);
  upstream.seen.length = 0;
  const made = await client.beta.messages.create({
    ...ASK,
    betas: ['files-api-2025-04-14'],
    messages: [
      fromUser([
        { type: 'text', text: 'Read it' },
        { type: 'document', source: { type: 'file', file_id: id }, citations: { enabled: true } },
      ]),
    ],
  });
  expect(made.stop_reason).toBe('end_turn');
  expect(JSON.stringify(upstream.seen[0]?.body)).toContain('# ');
  expect(JSON.stringify(upstream.seen[0]?.body)).not.toContain(id);
  const down = await client.files.download(id);
  expect(await down.text()).toContain('# ');
  const listed: string[] = [];
  for await (const file of client.beta.files.list({ limit: 1 })) listed.push(file.id);
  expect(listed).toEqual([id]);
  await client.files.delete(id);
  await expect(
    client.beta.messages.create({
      ...ASK,
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: id } }] }],
    }),
  ).rejects.toMatchObject({ status: 404, type: 'not_found_error' });
});

describe('counting', () => {
  it('is the upstream’s where it counts', async () => {
    expect(await client.messages.countTokens({ model: MODEL, messages: ASK.messages })).toMatchObject({
      input_tokens: 42,
    });
    expect(await client.beta.messages.countTokens({ model: MODEL, messages: ASK.messages })).toMatchObject({
      input_tokens: 42,
    });
  });

  it('is ours where nobody else does', async () => {
    const asked = { model: 'script', messages: ASK.messages };
    const plain = await client.beta.messages.countTokens(asked);
    const tools = await client.beta.messages.countTokens({
      ...asked,
      betas: ['computer-use-2024-10-22'],
      tools: [{ type: 'bash_20241022', name: 'bash' }],
    });
    // The prompt for computer use, and the tool.
    expect(tools.input_tokens - plain.input_tokens).toBe(466 + 245);
  });
});

it('models are listed by the pagination helper, and retrieved', async () => {
  const listed: string[] = [];
  for await (const { id } of client.models.list({ limit: 10 })) listed.push(id);
  expect(listed).toEqual([...Array.from({ length: 25 }, (_, index) => `claude-${index}`), 'script']);
  expect(await client.beta.models.retrieve('claude-7')).toMatchObject({ id: 'claude-7', type: 'model' });
  await expect(client.models.retrieve('claude-nobody')).rejects.toBeInstanceOf(NotFoundError);
});
