import { identityModel } from '../../support/onnx.ts';
import { png, startService, stopServices } from '../service.ts';

afterEach(stopServices);

const MB = 1024 * 1024;

test('memory stays where it is, request after request', async () => {
  const { inference } = await startService({ 'm.onnx': identityModel({ shape: [1, 3, 320, 320] }) });
  const bytes = await png(800, 600);
  const send = async (count: number): Promise<void> => {
    let sent = 0;
    const client = async (): Promise<void> => {
      while (sent++ < count) {
        const output = sent % 2 === 0 ? 'raw' : 'stats';
        // Every fifth client leaves, and the memory of its request has to be freed too.
        const signal = sent % 5 === 0 ? AbortSignal.timeout(1) : new AbortController().signal;
        await inference.analyze({ bytes, model: 'm', output, signal }).catch(() => undefined);
      }
    };
    await Promise.all([client(), client(), client()]);
  };
  await send(150);
  const before = process.memoryUsage.rss();
  await send(300);
  // The pixels alone would take 410 MB more if they were kept, the tensors 350 MB.
  expect((process.memoryUsage.rss() - before) / MB).toBeLessThan(150);
});
