import type { ApiAnswer } from '@steadyhand/server';
import { call } from './api.ts';

export type Model = ApiAnswer<'GET /v2/models'>['models'][number];
export type Analysis = ApiAnswer<'POST /analyze'>;

/**
 * What a model sees on a picture. Of a model whose answer is tensors their figures, for the tensors themselves may be
 * millions of numbers.
 */
export function analyze(picture: File, { name, task }: Model, signal: AbortSignal): Promise<Analysis> {
  const form = new FormData();
  form.set('file', picture);
  const query = { model: name, ...(task === 'tensor' ? { output: 'stats' } : {}) };
  return call('POST /analyze', { form, query, signal });
}
