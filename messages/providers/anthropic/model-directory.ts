import type { Anthropic, NotFoundError } from '@anthropic-ai/sdk';
import type { ModelDirectory, UpstreamModel } from '../../models/upstream-model.ts';

const PAGE = 1000;

/** Asks for the models of an upstream that has the API's list of models. */
export function modelDirectory(
  sdk: Promise<{ readonly NotFoundError: typeof NotFoundError }>,
  opening: Promise<Anthropic>,
): ModelDirectory {
  return {
    async list({ signal }) {
      const models: UpstreamModel[] = [];
      const client = await opening;
      for await (const model of client.models.list({ limit: PAGE }, { signal })) models.push(checked(model));
      return models;
    },
    async retrieve(id, { signal }) {
      try {
        return checked(await (await opening).models.retrieve(id, {}, { signal }));
      } catch (error) {
        if (error instanceof (await sdk).NotFoundError) return undefined;
        throw error;
      }
    },
  };
}

/** Checks the id and removes an unreadable date. */
function checked(model: UpstreamModel): UpstreamModel {
  const { id, created_at } = model as { readonly id: unknown; readonly created_at?: unknown };
  if (typeof id !== 'string' || id === '') throw new Error('the upstream lists a model without an id');
  const dated = typeof created_at === 'string' && !Number.isNaN(Date.parse(created_at));
  if (dated) return model;
  const { created_at: _undated, ...rest } = model;
  return rest;
}
