import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { table } from '../docs/table.ts';
import { registryOfAll } from './all-metrics.ts';

const PAGE = path.resolve(__dirname, '../../docs/metrics.md');
const HEADING = '## All metrics\n\n';

/** `UPDATE_DOCS=1 npx jest test/telemetry/metrics-page` writes the table anew. */
test('the page lists every metric with its labels and what it says', async () => {
  const registry = registryOfAll();
  const rows = (await registry.getMetricsAsJSON())
    .filter(({ name }) => name.startsWith('steadyhand_'))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, type, help }) => [`\`${name}\``, String(type), labelsOf(registry, name), help]);
  expect(rows.length).toBeGreaterThan(25);
  const expected = `${table(['metric', 'type', 'labels', 'what it says'], rows).join('\n')}\n`;
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(HEADING) + HEADING.length;
  const end = page.indexOf('\n\n', start) + 1;
  if (process.env['UPDATE_DOCS'] === '1')
    writeFileSync(PAGE, page.slice(0, start) + expected + page.slice(end));
  expect(readFileSync(PAGE, 'utf8')).toContain(HEADING + expected);
});

function labelsOf(registry: ReturnType<typeof registryOfAll>, name: string): string {
  const { labelNames } = registry.getSingleMetric(name) as unknown as {
    readonly labelNames: readonly string[];
  };
  return labelNames.map((label) => `\`${label}\``).join(', ');
}
