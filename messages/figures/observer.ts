import type { TokenCounts } from './figures.ts';

/** What a request to a provider is about. */
export interface AskedModel {
  /** The provider's name in the configuration. */
  readonly provider: string;
  /** What speaks with the upstream, e.g. `anthropic`. */
  readonly kind: string;
  /** The client's name of the model. */
  readonly model: string;
  readonly streamed: boolean;
  readonly maxTokens: number;
}

/** One request that an observer follows. Exactly one of its ends is called, once. */
export interface ObservedRequest {
  /** Goes to the upstream in the header of this name. */
  readonly traceparent?: string | undefined;
  /** The first piece of the reply is there. */
  first(): void;
  answered(tokens: TokenCounts, stopReason: string | null): void;
  /** `limited`: the provider asks for less or later. */
  failed(fault: { readonly type: string; readonly limited: boolean }, tokens: TokenCounts): void;
  /** Whoever asked has left. */
  left(tokens: TokenCounts): void;
}

/** Learns of every request to a provider: of sessions, of batches and of clients of the Messages API. */
export interface ModelRequestObserver {
  begin(asked: AskedModel): ObservedRequest;
}
