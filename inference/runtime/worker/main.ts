import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerSetup } from './messages.ts';
import { serveRecognizer, type RecognizerSetup } from './recognizer-thread.ts';
import { serve } from './serve.ts';

if (parentPort === null) throw new Error('this is the entry of a worker thread');
const setup = workerData as WorkerSetup | RecognizerSetup;
await ('recognizer' in setup ? serveRecognizer(parentPort, setup) : serve(parentPort, setup));
