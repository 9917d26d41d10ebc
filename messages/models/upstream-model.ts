import type { ModelInfo } from '@anthropic-ai/sdk/resources/models.js';

/** A model as its upstream describes it. Only the name is certain to be there. */
export type UpstreamModel = { readonly id: string } & Readonly<Partial<Omit<ModelInfo, 'id' | 'type'>>>;

interface AskModelsOptions {
  /** Aborts the request; the promise then rejects. */
  readonly signal: AbortSignal;
}

/** Asks an upstream for its models. Any fault rejects. */
export interface ModelDirectory {
  list(options: AskModelsOptions): Promise<readonly UpstreamModel[]>;
  /** The model of this name, which may be an alias of another; undefined when there is none. */
  retrieve(id: string, options: AskModelsOptions): Promise<UpstreamModel | undefined>;
}

/** A route whose upstream can be asked for its models. */
export interface AskableRoute {
  /** The route's own model or pattern. */
  readonly model: string;
  /** All routes to one upstream share the same object. */
  readonly directory: ModelDirectory;
  /** The client's name for a model of the upstream; undefined when this route does not answer for it. */
  clientName(upstreamModel: string): string | undefined;
  /** The upstream's name for a model of the client; undefined when this route does not answer for it. */
  upstreamName(model: string): string | undefined;
}
