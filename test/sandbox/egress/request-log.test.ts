import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RequestLog } from '../../../sandbox/egress/request-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BEGUN = { at: '2026-01-01T00:00:00.000Z', host: 'a.test', port: 443, method: 'CONNECT' };
const ENDED = { verdict: 'allowed', reason: null, bytes_sent: 1, bytes_received: 2, duration_ms: 3 } as const;

describe('the log of requests', () => {
  const folder = temporaryFolder();

  it('is the same for the next daemon, a connection that the last one took with it among it', () => {
    const path = join(folder, 'same');
    const log = new RequestLog(path);
    const [first, second] = [log.begin(BEGUN), log.begin({ ...BEGUN, host: 'b.test' })];
    log.end(second, ENDED);
    log.end(second, ENDED);
    expect(log.after(0, 10)).toEqual({ data: [{ number: 1, ...BEGUN, host: 'b.test', ...ENDED }], last: 1 });
    appendFileSync(path, '{"ended": 1, "num');
    const next = new RequestLog(path);
    expect(next.after(0, 10).data).toEqual([
      { number: 1, ...BEGUN, host: 'b.test', ...ENDED },
      expect.objectContaining({
        number: 2,
        host: 'a.test',
        reason: 'the daemon ended before the connection did',
      }),
    ]);
    expect(next.begin(BEGUN)).toBeGreaterThan(first);
    expect(new RequestLog(path).after(1, 10)).toMatchObject({
      last: 3,
      data: [{ number: 2 }, { number: 3 }],
    });
  });

  it('gives no number twice after a line that was cut short', () => {
    const path = join(folder, 'torn');
    const log = new RequestLog(path);
    log.end(log.begin(BEGUN), ENDED);
    const cut = log.begin({ ...BEGUN, host: 'cut.test' });
    appendFileSync(path, `{"ended": ${cut}, "num`);
    const next = new RequestLog(path);
    const { data } = next.after(0, 10);
    expect(data.map(({ number, host }) => `${number} ${host}`)).toEqual(['1 a.test', '2 cut.test']);
    const again = new RequestLog(path);
    again.end(again.begin({ ...BEGUN, host: 'later.test' }), ENDED);
    expect(again.after(0, 10).data).toEqual([
      ...data,
      expect.objectContaining({ number: 3, host: 'later.test' }),
    ]);
    expect(readFileSync(path, 'utf8').match(/"number":2,/g)).toHaveLength(1);
  });

  it('keeps the newest, and numbers them on', () => {
    const path = join(folder, 'many');
    const log = new RequestLog(path);
    for (let count = 0; count < 12_000; count += 1) log.end(log.begin(BEGUN), ENDED);
    for (const each of [log, new RequestLog(path)]) {
      const { data, last } = each.after(0, 20_000);
      expect(last).toBe(12_000);
      expect(data.length).toBeGreaterThanOrEqual(5_000);
      expect(data.length).toBeLessThanOrEqual(10_000);
      expect(data.map(({ number }) => number)).toEqual(
        data.map((_, index) => last - data.length + 1 + index),
      );
      expect(each.after(11_998, 1).data.map(({ number }) => number)).toEqual([11_999]);
    }
  });
});
