import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { engineOf } from '../../test/support/product-engine.ts';
import { Product } from '../../test/support/product.ts';
import { isIdle, scriptAgent } from '../crash/crash-run.ts';
import { writeResult } from '../lib/figures.ts';

/** Bytes of workflow history that a turn (one reply, one tool use, one screenshot) adds, over many turns. */
const { values } = parseArgs({
  options: { turns: { type: 'string', default: '200' }, engine: { type: 'string', default: 'embedded' } },
});
const TURNS = Number(values.turns);
const EVERY = 20;

const product = new Product({ ENGINE: values.engine, DEFAULT_MODEL: 'ocr' });
await product.start();
const { connection: to, namespace } = await engineOf(product);
const connection = await Connection.connect(to);
const temporal = new Client({ connection, namespace });
const anthropic = product.client;
const agent = await scriptAgent(anthropic);
const environment = await anthropic.beta.environments.create({ name: 'history' });
const session = await anthropic.beta.sessions.create({ agent, environment_id: environment.id });
const shot = { computer: { action: 'screenshot' } };
const marks: { turns: number; bytes: number; events: number; runs: number }[] = [];
for (let done = 0; done < TURNS; done += EVERY) {
  const text = JSON.stringify(Array.from({ length: Math.min(EVERY, TURNS - done) }, () => shot));
  await anthropic.beta.sessions.events.send(session.id, {
    events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
  });
  while (!(await isIdle(anthropic, session.id))) await pause(100);
  marks.push({ turns: done + EVERY, ...(await size()) });
  console.log(marks.at(-1));
}
await connection.close();
await product.dispose();

const first = marks[0];
const last = marks.at(-1);
if (!first || !last) throw new Error('no turns were made');
const middle = marks[Math.floor(marks.length / 2)] ?? first;
const perTurn = (a: typeof first, b: typeof first): number =>
  Math.round((b.bytes - a.bytes) / (b.turns - a.turns));
const summary = {
  engine: values.engine,
  turns: last.turns,
  runs: last.runs,
  bytes_a_turn: {
    all: Math.round(last.bytes / last.turns),
    first_half: perTurn(first, middle),
    second_half: perTurn(middle, last),
  },
  events_a_turn: Math.round((last.events / last.turns) * 10) / 10,
};
writeResult('history', summary);
console.log(JSON.stringify(summary, null, 2));

/** Of all runs of the session's workflow together. */
async function size(): Promise<{ bytes: number; events: number; runs: number }> {
  const workflowId = `session/${session.id}`;
  let bytes = 0;
  let events = 0;
  let runs = 0;
  for await (const { runId } of temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const description = await temporal.workflow.getHandle(workflowId, runId).describe();
    bytes += Number(description.historySize ?? 0);
    events += description.historyLength;
    runs++;
  }
  return { bytes, events, runs };
}
