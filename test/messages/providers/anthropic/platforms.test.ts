import {
  collectMessage,
  createAnthropicProvider,
  type ModelProvider,
  type ModelRequest,
  type StreamEvent,
} from '../../../../messages/index.ts';
import { platformOf } from '../../../../messages/providers/anthropic/platform.ts';
import {
  eventsOf,
  json,
  message,
  reply,
  startUpstream,
  stream,
} from '../../../support/anthropic-upstream.ts';
import { COMPUTER_USE, modelRequest, userSays } from '../../support.ts';
import { awsEvent, awsMessage, awsStream } from './aws-message.ts';
import { openedForAll } from '../../../support/opened.ts';

const KEY = 'secret-of-the-platform';
const BEDROCK_MODEL = 'anthropic.claude-3-5-sonnet-20241022-v2:0';

const upstream = openedForAll(startUpstream);
beforeEach(() => upstream.reset());

const bedrock = (): ModelProvider =>
  createAnthropicProvider({ apiKey: KEY, baseURL: upstream.baseURL, style: 'bedrock', region: 'eu-west-1' });
const vertex = (): ModelProvider =>
  createAnthropicProvider({
    apiKey: KEY,
    baseURL: `${upstream.baseURL}/v1`,
    style: 'vertex',
    region: 'europe-west1',
    project: 'my-project',
  });

const request = (model: string): ModelRequest =>
  modelRequest({ model, tools: [], system_prompt: 'Be brief.', temperature: 0, context_care: {} });
const traced: object[] = [];
const options = { signal: new AbortController().signal, trace: (fact: object) => traced.push(fact) };
const collected = (provider: ModelProvider, model: string): ReturnType<typeof collectMessage> =>
  collectMessage(provider.stream(request(model), options));

/** What every platform is sent of the request. */
const SENT = { max_tokens: 4096, messages: [userSays('hello')], system: 'Be brief.', temperature: 0 };

describe('Bedrock', () => {
  it('is asked for a reply by its own path, version and betas in the body', async () => {
    upstream.answer = json(200, message('Hi.'));
    expect((await bedrock().reply(request(BEDROCK_MODEL), options)).content).toEqual(message('Hi.').content);
    const [seen] = upstream.seen;
    expect(seen).toMatchObject({ method: 'POST', url: `/model/${BEDROCK_MODEL}/invoke` });
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect(seen?.headers['anthropic-version']).toBeUndefined();
    expect(seen?.body).toEqual({
      ...SENT,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: [COMPUTER_USE],
    });
  });

  it('is read in its binary frames', async () => {
    const events = eventsOf(message('Hello there.'));
    upstream.answer = awsStream(events.map(awsEvent));
    traced.length = 0;
    expect((await collected(bedrock(), BEDROCK_MODEL)).content).toEqual(message('Hello there.').content);
    expect(upstream.seen[0]?.url).toBe(`/model/${BEDROCK_MODEL}/invoke-with-response-stream`);
    expect(upstream.seen[0]?.body).not.toHaveProperty('stream');
    expect(traced).toEqual([{ upstreamRequestId: 'aws-1' }]);
  });

  it('is read as server-sent events where a gateway makes it so', async () => {
    upstream.answer = stream(eventsOf(message('Hi.')));
    expect((await collected(bedrock(), BEDROCK_MODEL)).content).toEqual(message('Hi.').content);
  });

  it('takes an ARN as a model, as one segment of the path', async () => {
    upstream.answer = json(200, message('Hi.'));
    const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc?x';
    await bedrock().reply(request(arn), options);
    expect(upstream.seen[0]?.url).toBe(
      '/model/arn:aws:bedrock:us-east-1:1:application-inference-profile%2Fabc%3Fx/invoke',
    );
  });

  it.each(['..', '.', ''])('takes no model that would lead elsewhere: %j', async (model) => {
    await expect(bedrock().reply(request(model), options)).rejects.toMatchObject({ type: 'not_found_error' });
    expect(upstream.seen).toEqual([]);
  });

  it.each([
    ['throttlingException', 'ProviderRateLimitedError'],
    ['serviceUnavailableException', 'ProviderOverloadedError'],
    ['modelTimeoutException', 'ProviderTimedOutError'],
    ['internalServerException', 'ProviderUnavailableError'],
    ['modelStreamErrorException', 'ProviderUnavailableError'],
    ['validationException', 'ProviderRefusedError'],
    ['whoKnowsException', 'ProviderUnavailableError'],
  ])('fails in the middle of a stream with %s', async (exception, name) => {
    const headers = { ':exception-type': exception, ':message-type': 'exception' };
    const failed = awsMessage(headers, '{"message":"in its own words"}');
    upstream.answer = awsStream([...eventsOf(message('x')).slice(0, 3).map(awsEvent), failed]);
    await expect(collected(bedrock(), BEDROCK_MODEL)).rejects.toMatchObject({
      name,
      message: 'in its own words',
    });
  });

  it.each([
    [429, { message: 'Too many requests' }, 'ProviderRateLimitedError', 'Too many requests'],
    [400, { message: 'model: bad' }, 'ProviderRefusedError', 'model: bad'],
    [404, { Message: 'no such model' }, 'ProviderRefusedError', 'no such model'],
    [424, { message: 'the model failed' }, 'ProviderUnavailableError', 'the model failed'],
    [503, { message: 'busy' }, 'ProviderUnavailableError', 'busy'],
    [408, {}, 'ProviderTimedOutError', 'the upstream answered with status 408'],
  ])('refuses with %d in its own words', async (status, body, name, words) => {
    upstream.answer = json(status, body);
    await expect(bedrock().reply(request(BEDROCK_MODEL), options)).rejects.toMatchObject({
      name,
      message: words,
    });
  });

  it('counts no tokens', () => {
    expect(bedrock()).not.toHaveProperty('countTokens');
  });
});

describe('Vertex', () => {
  const models = '/v1/projects/my-project/locations/europe-west1/publishers/anthropic/models';

  it('is asked for a reply by its own path, with the version in the body', async () => {
    upstream.answer = json(200, message('Hi.'));
    await vertex().reply(request('claude-sonnet-4@20250514'), options);
    const [seen] = upstream.seen;
    expect(seen?.url).toBe(`${models}/claude-sonnet-4@20250514:rawPredict`);
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'anthropic-beta': COMPUTER_USE });
    expect(seen?.headers['anthropic-version']).toBeUndefined();
    expect(seen?.body).toEqual({ ...SENT, anthropic_version: 'vertex-2023-10-16', stream: false });
  });

  it('streams server-sent events', async () => {
    upstream.answer = reply('Hello there.');
    expect((await collected(vertex(), 'claude-x')).content).toEqual(message('Hello there.').content);
    expect(upstream.seen[0]).toMatchObject({
      url: `${models}/claude-x:streamRawPredict`,
      body: { stream: true },
    });
  });

  it('counts tokens by a path of its own', async () => {
    upstream.answer = json(200, { input_tokens: 17 });
    expect(await vertex().countTokens?.(request('claude-x'), options)).toBe(17);
    expect(upstream.seen[0]).toMatchObject({
      url: `${models}/count-tokens:rawPredict`,
      body: { model: 'claude-x', anthropic_version: 'vertex-2023-10-16', messages: SENT.messages },
    });
    expect(upstream.seen[0]?.body).not.toHaveProperty('max_tokens');
  });

  it.each([
    [{ error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } }],
    [[{ error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } }]],
  ])("refuses in Google's words: %j", async (body) => {
    upstream.answer = json(429, body);
    await expect(vertex().reply(request('claude-x'), options)).rejects.toMatchObject({
      name: 'ProviderRateLimitedError',
      type: 'rate_limit_error',
      message: 'Quota exceeded',
    });
  });

  it('needs a project', () => {
    expect(() => createAnthropicProvider({ apiKey: KEY, style: 'vertex' })).toThrow('project');
  });
});

it.each([
  [{ style: 'bedrock' }, 'https://bedrock-runtime.us-east-1.amazonaws.com'],
  [{ style: 'bedrock', region: 'eu-west-1' }, 'https://bedrock-runtime.eu-west-1.amazonaws.com'],
  [{ style: 'vertex', project: 'p' }, 'https://aiplatform.googleapis.com/v1'],
  [{ style: 'vertex', project: 'p', region: 'eu' }, 'https://aiplatform.eu.rep.googleapis.com/v1'],
  [{ style: 'vertex', project: 'p', region: 'us-east5' }, 'https://us-east5-aiplatform.googleapis.com/v1'],
  [{}, undefined],
] as const)('without an address is reached where %j says', (asked, address) => {
  expect(platformOf(asked).baseURL).toBe(address);
});

it('events of every platform are the same', async () => {
  const events = eventsOf(message('Hello there.'));
  const seen: StreamEvent[][] = [];
  for (const [provider, answer] of [
    [bedrock(), awsStream(events.map(awsEvent))],
    [vertex(), stream(events)],
  ] as const) {
    upstream.answer = answer;
    const got: StreamEvent[] = [];
    for await (const event of provider.stream(request('claude-x'), options)) got.push(event);
    seen.push(got);
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]).toEqual(events.filter(({ type }) => type !== 'ping'));
});
