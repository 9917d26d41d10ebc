import { type SendFile, UploadQueue } from '../../web/parts/uploads/upload-queue.ts';

/** Files on their way: how many at once, and what becomes of one that fails or is taken off. */

interface Sending {
  readonly name: string;
  readonly on: Parameters<SendFile>[1];
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
}

function queueOf(): { queue: UploadQueue; sending: Sending[]; arrived: () => number } {
  const sending: Sending[] = [];
  let count = 0;
  const send: SendFile = (file, on) =>
    new Promise((finish, fail) => {
      sending.push({ name: file.name, on, finish: () => finish(undefined), fail });
      on.signal.addEventListener('abort', () => fail(new Error('stopped')));
    });
  return { queue: new UploadQueue(send, () => void (count += 1)), sending, arrived: () => count };
}

const file = (name: string): File => new File(['12345'], name);
const states = (queue: UploadQueue): string[] =>
  queue.uploads
    .get()
    .map(({ file: { name }, state, sent, problem }) =>
      [name, state, sent, problem].filter((each) => each !== undefined).join(' '),
    );
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('two are sent at once, and the next one when one has arrived', async () => {
  const { queue, sending, arrived } = queueOf();
  queue.add([file('a'), file('b'), file('c')]);
  expect(states(queue)).toEqual(['a sending 0', 'b sending 0', 'c waiting 0']);
  sending[1]?.on.onProgress(3);
  sending[0]?.finish();
  await settled();
  expect(states(queue)).toEqual(['a done 5', 'b sending 3', 'c sending 0']);
  expect(arrived()).toBe(1);
  queue.clear();
  expect(states(queue)).toEqual(['b sending 3', 'c sending 0']);
});

test('one that fails stays with the reason until it is sent again; one that is taken off is stopped', async () => {
  const { queue, sending, arrived } = queueOf();
  queue.add([file('a'), file('b')]);
  sending[0]?.fail(new Error('too large'));
  await settled();
  expect(states(queue)).toEqual(['a failed 0 too large', 'b sending 0']);
  const [failed, second] = queue.uploads.get();
  queue.retry(failed?.id ?? 0);
  queue.remove(second?.id ?? 0);
  await settled();
  expect(sending[1]?.on.signal.aborted).toBe(true);
  sending[2]?.finish();
  await settled();
  expect(states(queue)).toEqual(['a done 5']);
  expect([sending.map(({ name }) => name), arrived()]).toEqual([['a', 'b', 'a'], 1]);
});
