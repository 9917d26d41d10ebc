import Anthropic, { type APIError } from '@anthropic-ai/sdk';
import { createDefaultProviders } from '../../../messages/index.ts';
import { startServer, stopServers } from '../../server/harness.ts';
import { TEXT_FAMILIES } from '../../docs/error-texts.ts';
import { COMPUTER_USE } from '../support.ts';
import { type BadRequest, VALID } from './bad-requests/bad-request.ts';
import { TABLE } from './bad-requests/table.ts';
import { madeForAll } from '../../support/opened.ts';

/** Each request of the table is sent over HTTP, and the answer is held against it word for word. */
const ROWS = Object.values(TABLE).flat();

const server = madeForAll(() => startServer({ providers: createDefaultProviders({}) }));
afterAll(stopServers);

const HEADERS = {
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
  'anthropic-beta': COMPUTER_USE,
};

async function send({
  change = {},
  raw,
  headers = {},
  path = '/v1/messages',
}: BadRequest): Promise<Response> {
  const sent = Object.entries({ ...HEADERS, ...headers }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  );
  const body = raw ?? JSON.stringify({ ...VALID, ...change });
  return fetch(server.url + path, { method: 'POST', headers: sent, body });
}

it('takes the request that each of them changes', async () => {
  const answer = await send({ name: '', status: 200, type: '', message: '' });
  expect([answer.status, await answer.json()]).toMatchObject([200, { type: 'message', role: 'assistant' }]);
});

it('has at least 150 rows, no two of one name', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(150);
  for (const rows of Object.values(TABLE)) {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  }
});

describe.each(Object.entries(TABLE))('%s', (_theme, rows) => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const answer = await send(row);
    const body = (await answer.json()) as object;
    expect(body).toEqual({
      type: 'error',
      error: expect.objectContaining({ type: row.type, message: row.message }) as object,
      request_id: answer.headers.get('request-id'),
    });
    expect(answer.status).toBe(row.status);
    expect(answer.headers.get('x-should-retry')).toBe('false');
  });
});

it('has a row for every family of texts that the documentation tells of, and every row belongs to one', () => {
  for (const { text, pattern } of TEXT_FAMILIES) {
    expect([text, ROWS.some(({ message }) => pattern.test(message))]).toEqual([text, true]);
  }
  const strays = ROWS.filter(({ message }) => !TEXT_FAMILIES.some(({ pattern }) => pattern.test(message)));
  expect(strays.map(({ message }) => message)).toEqual([]);
});

describe('the official SDK', () => {
  const ofMessages = ROWS.filter(
    ({ raw, headers, path, change }) =>
      raw === undefined && headers === undefined && path === undefined && change,
  );
  const sample = ofMessages.filter((_row, index) => index % 9 === 0);

  it.each(sample.map((row) => [row.name, row] as const))(
    'throws the error of the status for %s',
    async (_name, row) => {
      const client = new Anthropic({ baseURL: server.url, apiKey: 'none-here' });
      const body = { ...VALID, ...row.change } as unknown as Anthropic.MessageCreateParamsNonStreaming;
      const error: unknown = await client.messages
        .create(body, { headers: { 'anthropic-beta': COMPUTER_USE } })
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(row.status === 404 ? Anthropic.NotFoundError : Anthropic.BadRequestError);
      expect(error).toMatchObject({ status: row.status, type: row.type, apiMessage: row.message });
      expect((error as APIError).requestID).toMatch(/^req_/);
    },
  );
});
