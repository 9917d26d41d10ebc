import { type Anthropic, BadRequestError, NotFoundError } from '@anthropic-ai/sdk';
import { stopServers } from '../server/harness.ts';
import { type BatchServer, request, said, startBatchServer } from './batch-server.ts';

/** The official client, unmodified, with the `script` model behind it. */

let server: BatchServer;

beforeAll(async () => {
  server = await startBatchServer();
  await server.work();
}, 120_000);
afterAll(async () => {
  await server.close();
  await stopServers();
}, 120_000);

describe.each([
  ['client.messages.batches', (client: Anthropic) => client.messages.batches],
  [
    'client.beta.messages.batches',
    (client: Anthropic) => client.beta.messages.batches as unknown as Anthropic.Messages.Batches,
  ],
])('%s', (_name, batchesOf) => {
  test('creates a batch, follows it, reads its results and deletes it', async () => {
    const batches = batchesOf(server.client);
    const made = await batches.create({
      requests: [
        request('first', 'script', '- say: one'),
        { custom_id: 'Without-a_bound', params: { model: 'script', messages: [] } as never },
        request('third', 'none', 'x'),
        request('streamed', 'script', '- say: four'),
      ].map((each) =>
        each.custom_id === 'streamed' ? { ...each, params: { ...each.params, stream: true } as never } : each,
      ),
    });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^msgbatch_[1-9A-Za-z]{24}$/) as string,
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { processing: 4, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      ended_at: null,
      archived_at: null,
      cancel_initiated_at: null,
      results_url: null,
    });
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(24 * 60 * 60 * 1000);

    const ended = await server.ended(made.id);
    expect(ended).toEqual({
      ...made,
      processing_status: 'ended',
      request_counts: { processing: 0, succeeded: 1, errored: 3, canceled: 0, expired: 0 },
      ended_at: expect.any(String) as string,
      results_url: `${server.url}/v1/messages/batches/${made.id}/results`,
    });
    expect(await batches.retrieve(made.id)).toEqual(ended);

    const results = [];
    for await (const result of await batches.results(made.id)) results.push(result);
    expect(results.map(said)).toEqual([
      ['first', 'one'],
      ['Without-a_bound', 'invalid_request_error: max_tokens: Field required'],
      ['third', 'not_found_error: model: none'],
      ['streamed', 'invalid_request_error: stream: Streaming is not supported in a batch'],
    ]);
    const [first, second] = results;
    expect(first?.result).toMatchObject({
      type: 'succeeded',
      message: {
        id: expect.stringMatching(/^msg_/) as string,
        type: 'message',
        role: 'assistant',
        model: 'script',
        stop_reason: 'end_turn',
        usage: { output_tokens: expect.any(Number) as number },
      },
    });
    expect(second?.result).toMatchObject({ type: 'errored', error: { type: 'error', request_id: null } });

    expect(await batches.delete(made.id)).toEqual({ id: made.id, type: 'message_batch_deleted' });
    await expect(batches.retrieve(made.id)).rejects.toThrow(NotFoundError);
    await expect(batches.delete(made.id)).rejects.toThrow(NotFoundError);
  });

  test('lists batches newest first, page after page', async () => {
    const batches = batchesOf(server.client);
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { id, created_at } = await batches.create({ requests: [request('a', 'script', '- say: hi')] });
      made.unshift(id);
      await server.ended(id);
      // Ids sort by the millisecond.
      while (new Date().toISOString() <= created_at) await server.client.messages.batches.retrieve(id);
    }
    const listed: string[] = [];
    for await (const { id } of batches.list({ limit: 2 })) listed.push(id);
    expect(listed).toEqual(made);

    const page = await batches.list({ limit: 2, after_id: made[0] ?? '' });
    expect(page.data.map(({ id }) => id)).toEqual(made.slice(1, 3));
    expect(page).toMatchObject({ has_more: true, first_id: made[1], last_id: made[2] });
    const back: string[] = [];
    for await (const { id } of batches.list({ limit: 2, before_id: made[4] ?? '' })) back.push(id);
    // The client goes back page by page, each in the list's own order.
    expect(back).toEqual([made[2], made[3], made[0], made[1]]);

    // A script that deletes while it lists does this: the batches at which the pages begin are gone by then.
    for await (const { id } of batches.list({ limit: 2 })) await batches.delete(id);
    expect((await batches.list()).data).toEqual([]);
  });

  test('refuses as the API does', async () => {
    const batches = batchesOf(server.client);
    await expect(batches.create({ requests: [] })).rejects.toThrow(BadRequestError);
    await expect(batches.retrieve('msgbatch_none')).rejects.toThrow('Message batch not found: msgbatch_none');
    await expect(batches.cancel('msgbatch_none')).rejects.toThrow(NotFoundError);
    await expect(batches.results('msgbatch_none')).rejects.toThrow(NotFoundError);
  });
});

test('the betas of the header and of the body reach every request', async () => {
  const tool = { type: 'bash_20241022', name: 'bash' } as never;
  const asked = (custom_id: string): Anthropic.Beta.Messages.BatchCreateParams.Request => ({
    custom_id,
    params: {
      model: 'script',
      max_tokens: 64,
      messages: [{ role: 'user', content: '- bash: date' }],
      tools: [tool],
    },
  });
  const { batches } = server.client.beta.messages;
  const plain = await batches.create({ requests: [asked('a')] });
  const header = await batches.create({ requests: [asked('a')], betas: ['computer-use-2024-10-22'] });
  const body = await server.client.post<{ id: string }>('/v1/messages/batches', {
    body: { requests: [asked('a')], betas: ['computer-use-2024-10-22'] },
  });
  const outcome = async (id: string): Promise<string> => {
    await server.ended(id);
    return (await server.results(id)).map(({ result }) => result.type).join();
  };
  expect(await outcome(plain.id)).toBe('errored');
  expect(await outcome(header.id)).toBe('succeeded');
  expect(await outcome(body.id)).toBe('succeeded');
});
