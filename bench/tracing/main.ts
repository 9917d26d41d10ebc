/** What telling of work costs: without tracing, and with spans that are sent to a collector. `node bench/run.mjs tracing`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { traced } from '@steadyhand/contracts';
import { createMetrics, startTracing } from '@steadyhand/telemetry';

const TIMES = 100_000;

const collector = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const { port } = collector.address() as AddressInfo;
process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${port}`;
// None is dropped, so that the sending is measured too.
process.env['OTEL_BSP_MAX_QUEUE_SIZE'] = String(TIMES * 2);

const work = (): Promise<number> => Promise.resolve(1);

/** Processor time of one call in microseconds. */
async function cost(once: () => unknown): Promise<string> {
  for (let n = 0; n < TIMES / 10; n += 1) await once();
  const began = process.cpuUsage();
  for (let n = 0; n < TIMES; n += 1) await once();
  const { user, system } = process.cpuUsage(began);
  return ((user + system) / TIMES).toFixed(2);
}

console.log('the work alone, µs of processor time:', await cost(work));
console.log('without tracing:', await cost(() => traced(undefined, 'work', () => ({}), work)));
const before = process.cpuUsage();
const started = await startTracing({
  serviceName: 'bench',
  version: '0',
  instance: '0',
  warn: console.warn,
});
const { user, system } = process.cpuUsage(before);
console.log('loading, ms of processor time:', Math.round((user + system) / 1000));
const attributes = { 'gen_ai.conversation.id': 'sesn_1', 'steadyhand.step': 'step/1.2' };
console.log('a span:', await cost(() => traced(started.tracing, 'work', () => ({ attributes }), work)));
const { store } = createMetrics();
console.log('a measured operation:', await cost(() => store.operation('events.append', 'ok', 0.002)));
await started.stop();
collector.close();
