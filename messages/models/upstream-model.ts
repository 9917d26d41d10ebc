import type { ModelInfo } from '@anthropic-ai/sdk/resources/models.js';

/** A model as its upstream tells of it: its own name, and whatever else it says. */
export type UpstreamModel = { readonly id: string } & Readonly<Partial<Omit<ModelInfo, 'id' | 'type'>>>;

interface AskModelsOptions {
  /** Ends the asking; the promise then rejects. */
  readonly signal: AbortSignal;
}

/** What an upstream says of its own models. Any fault rejects. */
export interface ModelDirectory {
  list(options: AskModelsOptions): Promise<readonly UpstreamModel[]>;
  /** The model of this name, which may be an alias of another; undefined when there is none. */
  retrieve(id: string, options: AskModelsOptions): Promise<UpstreamModel | undefined>;
}

/** A route whose upstream can be asked. */
export interface AskableRoute {
  /** The route's own model or pattern. */
  readonly model: string;
  /** The same one for all routes to one upstream. */
  readonly directory: ModelDirectory;
  /** The client's name for a model of the upstream; undefined when this route does not answer for it. */
  clientName(upstreamModel: string): string | undefined;
  /** The upstream's name for a model of the client; undefined when this route does not answer for it. */
  upstreamName(model: string): string | undefined;
}
