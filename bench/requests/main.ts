import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parseMessageRequest } from '../../messages/parse-message-request.ts';
import { createPace } from '../../server/http/pacing.ts';
import { parseBody } from '../../server/body/parse-body.ts';
import { quantile, writeResult } from '../lib/figures.ts';

/**
 * What it costs to read and to check a request before a model is asked: the body's bytes to a value, the value against all
 * rules, and how long others wait meanwhile. Beside it `JSON.parse` of the same bytes at once.
 */

const ROUNDS = 40;

function png(length: number): string {
  const bytes = randomBytes(length);
  bytes.write('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', 0, 'latin1');
  bytes.writeUInt32BE(1024, 16);
  bytes.writeUInt32BE(768, 20);
  return bytes.toString('base64');
}

/** A computer-use loop of so many steps, each with a screenshot of so many bytes, or with text alone. */
function loop(steps: number, shotBytes: number): Buffer {
  const messages: object[] = [{ role: 'user', content: 'Fill in the form.' }];
  for (let step = 0; step < steps; step += 1) {
    const id = `toolu_${step}`;
    const shot = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: png(shotBytes || 64) },
    };
    const input = { action: 'left_click', coordinate: [step, 5] };
    messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I click.\nThen I look.' },
          { type: 'tool_use', id, name: 'computer', input },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: id,
            content: shotBytes === 0 ? [{ type: 'text', text: 'total 0\n'.repeat(50) }] : [shot],
          },
        ],
      },
    );
  }
  const display = { display_width_px: 1024, display_height_px: 768 };
  const tools = [{ type: 'computer_20241022', name: 'computer', ...display }];
  return Buffer.from(
    JSON.stringify({
      model: 'script',
      max_tokens: 1024,
      betas: ['computer-use-2024-10-22'],
      tools,
      messages,
    }),
  );
}

const cases = {
  'one message': loop(0, 0),
  '50 steps of text': loop(50, 0),
  '10 screenshots of 150 kB': loop(10, 150_000),
  '100 screenshots of 225 kB': loop(100, 225_000),
};

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function p50(values: readonly number[]): number {
  return Math.round(quantile(values, 0.5) * 1000) / 1000;
}

const results: Record<string, object> = {};
for (const [name, bytes] of Object.entries(cases)) {
  const read: number[] = [];
  const checked: number[] = [];
  const atOnce: number[] = [];
  const waited: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let longest = 0;
    let last = performance.now();
    const watch = { done: false };
    const watching = (async () => {
      while (!watch.done) {
        await setImmediate();
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      }
    })();
    await setImmediate();
    const start = processorMs();
    const value = await parseBody(bytes, createPace());
    const middle = processorMs();
    parseMessageRequest(value, { betas: [] });
    checked.push(processorMs() - middle);
    read.push(middle - start);
    watch.done = true;
    await watching;
    waited.push(longest);
    const before = processorMs();
    JSON.parse(bytes.toString('utf8'));
    atOnce.push(processorMs() - before);
  }
  results[name] = {
    megabytes: Math.round(bytes.length / 1e4) / 100,
    read_cpu_ms: p50(read),
    check_cpu_ms: p50(checked),
    json_parse_at_once_cpu_ms: p50(atOnce),
    others_wait_ms: p50(waited),
  };
}

writeResult('requests', results);
console.table(results);
