import fs from 'node:fs';
import path from 'node:path';
import { startServer, stopServers } from '../harness.ts';
import { request } from './http.ts';

interface Case {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly answer: { readonly status: number; readonly body: object };
}

/** Recorded from FastAPI by test/oracle/fastapi-errors.py. */
const { cases: CASES } = JSON.parse(fs.readFileSync(path.join(__dirname, 'fastapi-errors.json'), 'utf8')) as {
  readonly cases: readonly Case[];
};

afterAll(stopServers);

let port: number;
beforeAll(async () => {
  ({ port } = await startServer());
});

test.each(CASES.map(({ name, request: asked, answer }) => [name, asked, answer] as const))(
  '%s is answered as FastAPI does',
  async (_name, { method, path, headers, body }, expected) => {
    const answer = await request(port, { method, path, headers, body });
    expect({ status: answer.status, body: answer.json() }).toEqual(expected);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  },
);

test('a 405 says what is allowed', async () => {
  const put = await request(port, { method: 'PUT', path: '/analyze' });
  expect(put.headers['allow']).toBe('GET, HEAD, POST');
  const get = await request(port, { method: 'GET', path: '/vector_image' });
  expect([get.status, get.headers['allow']]).toEqual([405, 'POST']);
});
