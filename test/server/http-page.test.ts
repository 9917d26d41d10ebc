import fs from 'node:fs';
import path from 'node:path';
import { routesOf } from '../support/routes-of.ts';
import { startServer, stopServers } from './harness.ts';

afterEach(stopServers);

test('docs/http.md lists every route, and no other', async () => {
  const { server } = await startServer();
  const page = fs.readFileSync(path.resolve(__dirname, '../../docs/http.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([A-Z]+ [^`]+)`/gm)].map(([, route]) => route ?? '');
  expect(listed.toSorted()).toEqual(routesOf(server.app).toSorted());
});
