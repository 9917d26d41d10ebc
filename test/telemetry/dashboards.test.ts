import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { registryOfAll } from './all-metrics.ts';

const DEPLOY = path.resolve(__dirname, '../../deploy');
const dashboards = readdirSync(path.join(DEPLOY, 'grafana')).filter((name) => name.endsWith('.json'));
const known = namesOf(registryOfAll().getMetricsAsArray());

/** The names that Prometheus has for a metric. */
function namesOf(metrics: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(
    metrics.flatMap(({ name, ...metric }) =>
      'bucketValues' in metric || 'upperBounds' in metric
        ? [`${name}_bucket`, `${name}_count`, `${name}_sum`]
        : [name],
    ),
  );
}

/** The names of metrics in an expression: words that begin as ours do or as Node's. */
const metricsIn = (expression: string): readonly string[] =>
  expression.match(/\b(?:steadyhand|process|nodejs)_\w+/g) ?? [];

test.each(dashboards)('%s asks for metrics that exist', (name) => {
  const { panels } = JSON.parse(readFileSync(path.join(DEPLOY, 'grafana', name), 'utf8')) as {
    readonly panels: readonly {
      readonly title: string;
      readonly targets: readonly { readonly expr: string }[];
    }[];
  };
  expect(panels.length).toBeGreaterThan(0);
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      expect([title, metricsIn(expr).length > 0]).toEqual([title, true]);
      expect(metricsIn(expr).filter((metric) => !known.has(metric))).toEqual([]);
    }
  }
});

test('the dashboards are what their definitions say', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/dashboards.mjs', '--check'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});

test('every alert asks for metrics that exist', () => {
  const { groups } = parse(readFileSync(path.join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string }[];
    }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(8);
  for (const { alert, expr } of rules) {
    expect([alert, metricsIn(expr).length > 0]).toEqual([alert, true]);
    expect([alert, metricsIn(expr).filter((metric) => !known.has(metric))]).toEqual([alert, []]);
  }
});
