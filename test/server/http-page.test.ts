import fs from 'node:fs';
import path from 'node:path';
import { routesOf } from '../support/routes-of.ts';
import { startServer, stopServers } from './harness.ts';

afterEach(stopServers);

test('the pages of routes list every route once, and no other', async () => {
  const { server } = await startServer();
  const docs = path.resolve(__dirname, '../../docs');
  const pages = fs.readdirSync(docs).filter((name) => name.startsWith('routes-'));
  const page = pages.map((name) => fs.readFileSync(path.join(docs, name), 'utf8')).join('\n');
  const listed = [...page.matchAll(/^\| `([A-Z]+ [^`]+)`/gm)].map(([, route]) => route ?? '');
  expect(listed.toSorted()).toEqual(routesOf(server.app).toSorted());
});
