import Elk, { type ELK } from 'elkjs/lib/elk-api.js';

let elk: ELK | undefined;

/** ELK in a thread of its own, so that the page goes on while a large chart is laid out. It is begun when it is first needed. */
export function layouter(): ELK {
  elk ??= new Elk.default({ workerUrl: '/static/app/elk-worker.js' });
  return elk;
}
