/**
 * Records what the real server answers to the rows of `test/oracle/behaviour`.
 *
 *   temporal server start-dev --headless --port 7299 --dynamic-config-value frontend.WorkflowPauseEnabled=true &
 *   npx esbuild test/oracle/record-behaviour.ts --bundle --platform=node --format=esm --packages=external \
 *     --outfile=.tmp/record-behaviour.mjs && node .tmp/record-behaviour.mjs 127.0.0.1:7299
 *
 * Writes test/oracle/behaviour.json, a line for each row. Rows that are answered otherwise a second time are named: they
 * say something about the moment, and have to be put otherwise.
 */
import { writeFile } from 'node:fs/promises';
import { connectOnce, runRows, rows, prepareServer } from './behaviour/run-rows.ts';

const connection = await connectOnce({ address: process.argv[2] ?? '127.0.0.1:7299' });
await prepareServer(connection);
const first = await runRows(connection);
const second = await runRows(connection);
const lines: string[] = [];
for (const { name } of rows) {
  const answers = first.get(name);
  if (answers instanceof Error) {
    process.stdout.write(`could not be run: ${name}: ${answers.stack}\n`);
    process.exitCode = 1;
  } else {
    const line = JSON.stringify(answers);
    const again = JSON.stringify(second.get(name));
    if (line !== again) process.stdout.write(`answered in two ways: ${name}\n${line}\n${again}\n`);
    lines.push(`${JSON.stringify(name)}:${line}`);
  }
}
await writeFile('test/oracle/behaviour.json', `{\n${lines.join(',\n')}\n}\n`);
await connection.close();
process.stdout.write(`${lines.length} rows\n`);
