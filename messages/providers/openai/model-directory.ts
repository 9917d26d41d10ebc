import type { OpenAI } from 'openai';
import type { ModelDirectory, UpstreamModel } from '../../models/upstream-model.ts';

/** Asks an upstream for its list of models. */
export function modelDirectory(opening: Promise<OpenAI>): ModelDirectory {
  const list: ModelDirectory['list'] = async ({ signal }) => {
    const models: UpstreamModel[] = [];
    const client = await opening;
    for await (const model of client.models.list({ signal })) models.push(upstreamModel(model));
    return models;
  };
  return {
    list,
    // Names with a slash are common, and not every server finds them by path.
    retrieve: async (id, options) => (await list(options)).find((model) => model.id === id),
  };
}

function upstreamModel(model: object): UpstreamModel {
  const { id, created, max_model_len: context } = model as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '') throw new Error('the upstream lists a model without an id');
  const isDated = typeof created === 'number' && created > 0 && created < 1e11;
  return {
    id,
    ...(isDated ? { created_at: new Date(created * 1000).toISOString() } : {}),
    // Only vLLM sends this field.
    ...(typeof context === 'number' && context > 0 ? { max_input_tokens: context } : {}),
  };
}
