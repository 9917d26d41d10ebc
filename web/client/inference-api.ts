import { request } from './api.ts';

/** A model as the inference API describes it, in the fields that the page uses; `/openapi.json` describes them all. */
export interface Model {
  readonly name: string;
  readonly state: 'loading' | 'ready' | 'refused' | 'unloaded';
  readonly reason: string | null;
  readonly task: string | null;
  readonly default: boolean;
}

type Box = readonly [x1: number, y1: number, x2: number, y2: number];

export interface Analysis {
  readonly model: string;
  readonly image: { readonly width: number; readonly height: number };
  readonly detections?: readonly { readonly box: Box; readonly label: string; readonly score: number }[];
  readonly lines?: readonly {
    readonly text: string;
    readonly score: number;
    readonly polygon: readonly (readonly [x: number, y: number])[];
  }[];
  readonly classes?: readonly { readonly label: string; readonly score: number }[];
  readonly outputs?: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: readonly number[];
    readonly min?: number | null;
    readonly max?: number | null;
    readonly mean?: number | null;
  }[];
  readonly timings: Readonly<Record<string, number>>;
}

export async function listModels(signal: AbortSignal): Promise<readonly Model[]> {
  const answer = await request('/v2/models', { signal });
  return ((await answer.json()) as { models: readonly Model[] }).models;
}

/** Runs a model on a picture. Tensors, which may hold millions of numbers, are asked for as statistics alone. */
export async function analyze(picture: File, { name, task }: Model, signal: AbortSignal): Promise<Analysis> {
  const body = new FormData();
  body.set('file', picture);
  const query = new URLSearchParams({ model: name, ...(task === 'tensor' ? { output: 'stats' } : {}) });
  const answer = await request(`/analyze?${query.toString()}`, { method: 'POST', body, signal });
  return (await answer.json()) as Analysis;
}
