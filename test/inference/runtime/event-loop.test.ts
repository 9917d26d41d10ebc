import { busyModel } from '../../support/onnx.ts';
import { png, startService, stopServices } from '../service.ts';

afterEach(stopServices);

test('this thread goes on while models run on all cores', async () => {
  const { inference } = await startService({ 'slow.onnx': busyModel({ shape: [1, 3, 8, 8] }) });
  const bytes = await png();
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => inference.analyze({ bytes, model: 'slow' })),
  );
  clearInterval(counting);
  const busyMs = answers.reduce((sum, { timings }) => sum + timings.inference_ms, 0);
  // Runs on this thread would let the event loop turn between two of them, eight times in all, and not every 10 ms.
  expect(turns).toBeGreaterThan(Math.max(20, busyMs / 10 / 8));
});
