import fs from 'node:fs';
import path from 'node:path';
import { entriesBelow } from '../support/entries-below.ts';

/** The dashboards and the chart's autoscaling, held against the metrics that the code has. */

const root = path.resolve(__dirname, '../..');
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
const NAME = /\bsteadyhand_[a-z_]+/g;
/** What Prometheus adds to the name of a histogram. */
const base = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '');

test('every metric that is shown or asked for is one', () => {
  const folder = path.join(root, 'deploy/grafana/dashboards');
  const dashboards = fs.readdirSync(folder).map((name) => `deploy/grafana/dashboards/${name}`);
  expect(dashboards.length).toBeGreaterThan(0);
  const asked = new Set(
    [...dashboards, 'deploy/helm/steadyhand/templates/autoscaling.yaml'].flatMap((file) =>
      [...read(file).matchAll(NAME)].map(([name]) => base(name)),
    ),
  );
  const sources = ['telemetry/metrics', 'server/routes'].flatMap((name) =>
    entriesBelow(path.join(root, name)).map((file) => path.join(name, file)),
  );
  const had = new Set(
    sources
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...read(file).matchAll(NAME)].map(([name]) => name)),
  );
  expect(asked.size).toBeGreaterThan(20);
  expect([...asked].filter((name) => !had.has(name))).toEqual([]);
});

test('each dashboard has its own name, and panels that do not lie on each other', () => {
  const folder = path.join(root, 'deploy/grafana/dashboards');
  const uids = new Set<string>();
  for (const name of fs.readdirSync(folder)) {
    const { uid, panels } = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as {
      readonly uid: string;
      readonly panels: readonly {
        readonly id: number;
        readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
      }[];
    };
    uids.add(uid);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  }
  expect(uids.size).toBe(fs.readdirSync(folder).length);
});
