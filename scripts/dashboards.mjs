/** `node scripts/dashboards.mjs`: writes the Grafana dashboards of deploy/grafana; with `--check`, only compares them. */
import fs from 'node:fs';
import path from 'node:path';
import { dashboard, DASHBOARDS } from './lib/dashboards.mjs';
import { root } from './lib/root.mjs';

for (const name of Object.keys(DASHBOARDS)) {
  const file = path.join(root, 'deploy/grafana', `${name}.json`);
  const text = `${JSON.stringify(dashboard(name), null, 2)}\n`;
  if (!process.argv.includes('--check')) fs.writeFileSync(file, text);
  else if (fs.readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what scripts/lib/dashboards.mjs says.`);
    process.exitCode = 1;
  }
}
