import { parseArgs } from 'node:util';
import { Product } from '../../test/support/product.ts';
import { quantile, writeResult } from '../lib/figures.ts';
import { LongSession, type Turn } from './long-session.ts';

/**
 * The time of a step late in a session against that of one early in it. One session is taken to so many events; then its turns
 * alternate with turns of new sessions at their hundredth event, so that both sides meet the same load.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '12' },
    steps: { type: 'string', default: '20' },
    engine: { type: 'string', default: 'embedded' },
  },
});
const EVENTS = Number(values.events);
const ROUNDS = Number(values.rounds);
const STEPS = Number(values.steps);
/** Events of the early turn: it ends behind the hundredth. */
const EARLY = 100;
const HUNDRED = 100;

const product = new Product({ ENGINE: values.engine, DEFAULT_MODEL: 'ocr' });
await product.start();
const long = await LongSession.open(product);
const grown = new Map<number, number[]>();
/** Events that one turn adds, as the first ones show: the last rounds lie around the mark. */
let turnEvents = 0;
while (long.events + (turnEvents * ROUNDS) / 2 < EVENTS) {
  const before = long.events;
  const { times } = await long.turn(STEPS);
  turnEvents = long.events - before;
  const hundred = Math.floor(long.events / HUNDRED);
  grown.set(hundred, [...(grown.get(hundred) ?? []), ...times]);
  console.log(`${long.events} events: ${median(times)} ms a step`);
}

const early: Turn[] = [];
const late: Turn[] = [];
for (let round = 1; round <= ROUNDS; round++) {
  const short = await LongSession.open(product);
  await short.turn(Math.max(1, Math.floor((STEPS * (EARLY - turnEvents / 2)) / turnEvents)));
  const one = await short.turn(STEPS);
  const other = await long.turn(STEPS);
  early.push(one);
  late.push(other);
  console.log(`round ${round}: ${told(one)} at event ${short.events}, ${told(other)} at ${long.events}`);
}
await product.dispose();

const by = (thousand: number): number =>
  median([...grown].flatMap(([hundred, times]) => (Math.floor(hundred / 10) === thousand ? times : [])));
const thousands = [...new Set([...grown.keys()].map((hundred) => Math.floor(hundred / 10)))];
const stepOf = (turns: readonly Turn[]): number => median(turns.flatMap(({ times }) => times));
const cpuOf = (turns: readonly Turn[]): number => median(turns.map((turn) => turn.cpu));
const wall = { early: stepOf(early), late: stepOf(late) };
const cpu = { early: cpuOf(early), late: cpuOf(late) };
const summary = {
  engine: values.engine,
  events: EVENTS,
  steps_each: ROUNDS * (STEPS - 1),
  ms_a_step: { ...wall, ratio: ratio(wall) },
  server_processor_ms_a_step: { ...cpu, ratio: ratio(cpu) },
  as_it_grew: Object.fromEntries(thousands.map((thousand) => [thousand * 1000, by(thousand)])),
};
writeResult('long', summary);
console.log(JSON.stringify(summary, null, 2));

function ratio(of: { readonly early: number; readonly late: number }): number {
  return Math.round((of.late / of.early) * 100) / 100;
}

function told({ times, cpu: processor }: Turn): string {
  return `${median(times)} ms (${Math.round(processor)} of the processor)`;
}

function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}
