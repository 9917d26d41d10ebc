/** Loaded into the server with `--import`: tells over IPC how long its event loop was held since the last question. */
import { openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const EVERY_MS = 2;
const delay = monitorEventLoopDelay({ resolution: EVERY_MS });
delay.enable();
let cpu = process.cpuUsage();

/** Nanoseconds that the main thread has worked: on a busy machine it also waits for a processor, which is not its fault. */
const schedule = openSync('/proc/self/schedstat', 'r');
const text = Buffer.alloc(128);
const worked = () => Number(text.toString('latin1', 0, readSync(schedule, text, 0, 128, 0)).split(' ')[0]);
let before = worked();
let longest = 0;
setInterval(() => {
  const now = worked();
  longest = Math.max(longest, now - before);
  before = now;
}, EVERY_MS).unref();

process.on('message', () => {
  const used = process.cpuUsage(cpu);
  process.send?.({
    max_ms: delay.max / 1e6,
    worked_max_ms: longest / 1e6,
    p99_ms: delay.percentile(99) / 1e6,
    cpu_s: (used.user + used.system) / 1e6,
    rss_mib: process.memoryUsage.rss() / 2 ** 20,
  });
  delay.reset();
  longest = 0;
  cpu = process.cpuUsage();
});
process.channel?.unref();
