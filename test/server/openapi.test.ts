import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { clientKey } from '../../server/auth/client-key.ts';
import { INFERENCE_ERRORS } from '../../inference/common/errors.ts';
import type { OpenApiDocument } from '../../server/routing/document.ts';
import { type Described, described } from '../support/described.ts';
import { routesOf } from '../support/routes-of.ts';
import { ask, startServer, stopServers } from './harness.ts';

afterEach(stopServers);

const root = path.resolve(__dirname, '../..');
const DESCRIPTIONS = ['/openapi.json', '/v1/openapi.json'];

async function read(url: string, place: string): Promise<Described> {
  return described((await ask(`${url}${place}`)).body as unknown as OpenApiDocument);
}

test.each(DESCRIPTIONS)('%s is valid by the meta schema of OpenAPI 3.1', async (place) => {
  const { url } = await startServer();
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'openapi-')), 'openapi.json');
  fs.writeFileSync(file, await (await fetch(`${url}${place}`)).text());
  const validator = path.join(
    root,
    'node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js',
  );
  const { status, stdout } = spawnSync(process.execPath, [validator, file], { encoding: 'utf8' });
  fs.rmSync(path.dirname(file), { recursive: true });
  expect([JSON.parse(stdout), status]).toEqual([{ valid: true }, 0]);
});

test('every schema of both compiles, and every reference leads somewhere', async () => {
  const { url } = await startServer();
  for (const place of DESCRIPTIONS) {
    const { document, compile } = await read(url, place);
    const text = JSON.stringify(document);
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      const components = document.components as unknown as Record<string, Record<string, unknown>>;
      expect(Object.keys(components[kind] ?? {})).toContain(name);
    }
    const names = Object.keys(document.components.schemas);
    for (const name of names) compile(name);
    const unused = names.filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    expect(unused).toEqual([]);
  }
});

/** Pages and files are for browsers, and the descriptions do not describe themselves. */
const NOT_DESCRIBED =
  /^GET \/(?:\w+\{\/\{path\}\}|docs.*|redoc|openapi\.json|v1\/openapi\.json|static\/.*|favicon\.ico|apple-touch-icon.*)?$/;

test('every route of the server is described, and no other, each once', async () => {
  const { url, server } = await startServer();
  const routes = routesOf(server.app).filter((route) => !NOT_DESCRIBED.test(route));
  const both = await Promise.all(DESCRIPTIONS.map((place) => read(url, place)));
  expect(both.flatMap((each) => each.routes).toSorted()).toEqual(routes.toSorted());
  const ids = both.map(({ routes: all, operation }) => all.map((route) => operation(route).operationId));
  for (const each of ids) expect(new Set(each).size).toBe(each.length);
  expect(both[1]?.routes.every((route) => route.includes(' /v1/'))).toBe(true);
});

test('every part of a path is a parameter of its operation, and no other', async () => {
  const { url } = await startServer();
  for (const place of DESCRIPTIONS) {
    const { routes, operation } = await read(url, place);
    for (const route of routes) {
      const parts = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = (operation(route).parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect([route, inPath.map(({ name }) => name)]).toEqual([route, parts]);
    }
  }
});

test('every parameter of a query that is described is taken', async () => {
  const { url } = await startServer();
  const refused: string[] = [];
  let asked = 0;
  for (const { routes, operation } of await Promise.all(DESCRIPTIONS.map((place) => read(url, place)))) {
    for (const route of routes) {
      const [method = '', place = ''] = route.split(' ');
      const inQuery = (operation(route).parameters ?? []).filter((parameter) => parameter.in === 'query');
      for (const { name } of inQuery) {
        const at = `${place.replaceAll(/\{\w+\}/g, 'x')}?${new URLSearchParams({ [name]: '1' }).toString()}`;
        const { body } = await ask(`${url}${at}`, { method });
        if (JSON.stringify(body).includes('Extra inputs')) refused.push(`${route} ${name}`);
        asked += 1;
      }
    }
  }
  expect(refused).toEqual([]);
  expect(asked).toBeGreaterThan(60);
});

test('the inference API is described as FastAPI would', async () => {
  const { url } = await startServer();
  const { document, operation } = await read(url, '/openapi.json');
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toEqual({ title: 'Steadyhand Inference Serving API', version: '1.0.0' });
  const analyze = operation('POST /analyze');
  expect(analyze.summary).toBe('Analyze');
  expect(analyze.operationId).toBe('analyze_analyze_post');
  expect(analyze.requestBody).toEqual({
    required: true,
    content: {
      'multipart/form-data': { schema: { $ref: '#/components/schemas/Body_analyze_analyze_post' } },
    },
  });
  expect(analyze.responses['422']).toEqual({
    description: 'Validation Error',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } },
  });
  // As fastapi 0.165 gives them for the seed's route.
  const { Body_analyze_analyze_post, HTTPValidationError, ValidationError } = document.components.schemas;
  const golden = JSON.parse(
    fs.readFileSync(path.join(root, 'test/server/fastapi-openapi.json'), 'utf8'),
  ) as OpenApiDocument;
  expect({ Body_analyze_analyze_post, HTTPValidationError, ValidationError }).toEqual(
    golden.components.schemas,
  );
});

test('every error of an image model is among the answers of /analyze, and a 503 says when to return', async () => {
  const { url } = await startServer();
  const { operation } = await read(url, '/openapi.json');
  const { responses } = operation('POST /analyze');
  const statuses = Object.values(INFERENCE_ERRORS).map(({ status }) => String(status));
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses));
  expect(responses['503']).toHaveProperty('headers.Retry-After');
});

test.each([
  [{ kind: 'local' } as const, [{ APIKeyHeader: [] }, { HTTPBearer: [] }, {}]],
  [
    { kind: 'keys', keys: [clientKey('sk-test-0123456789')] } as const,
    [{ APIKeyHeader: [] }, { HTTPBearer: [] }],
  ],
])('the key may be sent in two ways, and must be where the server has one (%j)', async (access, expected) => {
  const { url } = await startServer({ access });
  for (const place of DESCRIPTIONS) {
    const { document } = await read(url, place);
    expect(document.security).toEqual(expected);
    expect(document.components.securitySchemes).toEqual({
      APIKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      HTTPBearer: { type: 'http', scheme: 'bearer' },
    });
  }
});

test.each(DESCRIPTIONS)('%s is not sent again while it holds', async (place) => {
  const { url, port } = await startServer();
  const first = await fetch(`${url}${place}`);
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(first.headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  const status = await new Promise((resolve) => {
    http.get({ port, path: place, headers }, (response) => resolve(response.resume().statusCode));
  });
  expect(status).toBe(304);
});

test('examples of bodies are what the schemas allow', async () => {
  const { url } = await startServer();
  let examples = 0;
  for (const place of DESCRIPTIONS) {
    const { routes, operation, bodyFaults } = await read(url, place);
    for (const route of routes) {
      const content = operation(route).requestBody?.content['application/json'];
      if (content === undefined) continue;
      const values = [
        ...(content.example === undefined ? [] : [content.example]),
        ...Object.values(content.examples ?? {}).map(({ value }) => value),
      ];
      expect([route, values.length > 0]).toEqual([route, true]);
      for (const value of values) expect([route, bodyFaults(route, value)]).toEqual([route, []]);
      examples += values.length;
    }
  }
  expect(examples).toBeGreaterThan(8);
});

test('switched off, neither the pages nor the descriptions are there', async () => {
  const { url } = await startServer({
    docs: false,
    access: { kind: 'keys', keys: [clientKey('sk-test-0123456789')] },
  });
  for (const place of [...DESCRIPTIONS, '/docs', '/redoc', '/docs/oauth2-redirect']) {
    expect([place, (await fetch(`${url}${place}`)).status]).toEqual([place, 404]);
  }
  const html = await (await fetch(url)).text();
  expect(html).not.toContain('href="/docs"');
  expect(html).toContain('href="/inference"');
});
