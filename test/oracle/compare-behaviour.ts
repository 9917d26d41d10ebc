/**
 * Asks the embedded engine what `record-behaviour.ts` has asked the real server, and names each row that is answered otherwise,
 * with both answers.
 *
 *   npx esbuild test/oracle/compare-behaviour.ts --bundle --platform=node --format=esm --packages=external \
 *     --conditions=@steadyhand/source --outfile=.tmp/compare-behaviour.mjs && node .tmp/compare-behaviour.mjs
 */
import { startTestEngine } from '../engine/embedded/support/engine.ts';
import golden from './behaviour.json' with { type: 'json' };
import { connectOnce, prepareServer, rows, runRows } from './behaviour/run-rows.ts';
import type { Answer } from './behaviour/transcript.ts';

const recorded = golden as unknown as Readonly<Record<string, readonly Answer[]>>;
const testEngine = await startTestEngine();
const connection = await connectOnce(testEngine.engine.connection);
let equal = 0;
try {
  await prepareServer(connection);
  const answers = await runRows(connection);
  for (const { name } of rows) {
    const found = answers.get(name);
    const [wanted, given] = [recorded[name], found instanceof Error ? String(found) : found].map((answer) =>
      JSON.stringify(answer),
    );
    if (wanted === given) equal += 1;
    else process.stdout.write(`${name}\n  real server: ${wanted}\n  engine:      ${given}\n`);
  }
} finally {
  await connection.close();
  await testEngine.close();
}
process.stdout.write(`${equal} of ${rows.length} rows are answered alike\n`);
