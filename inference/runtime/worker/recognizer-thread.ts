import type { MessagePort } from 'node:worker_threads';
import { InferenceError, ModelRefusedError } from '../../common/errors.ts';
import { LINE_HEIGHT } from '../../ocr/line-tensor.ts';
import type { Recognition } from '../../ocr/text-models.ts';
import type { Tensor } from '../../common/tensor.ts';
import type { OnnxFiles, SerializedError } from './messages.ts';
import { serializeError } from './serialized-error.ts';
import { openModel } from './open-model.ts';
import type { Session } from './session.ts';

/** The `workerData` of a thread beside an `ocr` worker. */
export interface RecognizerSetup {
  readonly recognizer: OnnxFiles;
  readonly spinning: boolean;
}

/** `end` comes after what was sent before it. */
export type ToRecognizer =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly data: Float32Array;
      readonly shape: readonly number[];
    }
  | { readonly type: 'end' };

export type FromRecognizer =
  | { readonly type: 'ready' }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'done'; readonly id: number; readonly recognition: Recognition }
  | { readonly type: 'failed'; readonly id: number; readonly error: SerializedError };

/** The shape of the line that warms the recogniser up. */
const LINE = [1, 3, LINE_HEIGHT, 320];

/** Recognises text on this thread, for the worker that reads the picture. */
export async function serveRecognizer(port: MessagePort, setup: RecognizerSetup): Promise<void> {
  const send = (message: FromRecognizer, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  let session: Session;
  try {
    const options = { wideThreads: null, spinning: setup.spinning, varies: true };
    ({ session } = await openModel(setup.recognizer, options, true));
    await recognize(session, new Float32Array(LINE.reduce((size, side) => size * side)), LINE);
  } catch (error) {
    if (!(error instanceof ModelRefusedError || error instanceof InferenceError)) throw error;
    send({ type: 'refused', reason: error.message });
    return;
  }
  let last = Promise.resolve();
  port.on('message', (message: ToRecognizer) => {
    last = last.then(async () => {
      // A thread may end between two runs; inside one it would take the process with it.
      if (message.type === 'end') process.exit(0);
      try {
        const recognition = await recognize(session, message.data, message.shape);
        send({ type: 'done', id: message.id, recognition }, [recognition.data.buffer as ArrayBuffer]);
      } catch (error) {
        send({ type: 'failed', id: message.id, error: serializeError(error) });
      }
    });
  });
  send({ type: 'ready' });
}

/** The output is copied out of the runtime's memory, which cannot be transferred. */
async function recognize(
  session: Session,
  data: Float32Array,
  shape: readonly number[],
): Promise<Recognition> {
  const tensor: Tensor = { name: session.inputs[0]?.name ?? '', datatype: 'FP32', shape, data };
  const [output] = await session.run([tensor], { wide: false, varies: true });
  if (output === undefined) throw new InferenceError('inference_failed', 'the recogniser has no output');
  const [, steps = 0, classes = 0] = output.shape;
  return { data: Float32Array.from(output.data as Float32Array), steps, classes };
}
