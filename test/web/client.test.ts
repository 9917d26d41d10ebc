import { addressOf } from '../../web/client/api.ts';

/** The typed client, without a server. */

test('an address holds the parts of the path and the query, encoded', () => {
  expect(addressOf('GET /health', {})).toBe('/health');
  expect(addressOf('GET /v1/sessions/{id}', { params: { id: 'a/b c' } })).toBe('/v1/sessions/a%2Fb%20c');
  expect(addressOf('GET /v1/sandboxes/{id}/files', { params: { id: 'x' }, query: { path: '/a b&c' } })).toBe(
    '/v1/sandboxes/x/files?path=%2Fa+b%26c',
  );
});
