import type { ModelMetrics, ModelOutcome, Tokens } from './model-metrics.ts';

interface AskedModel {
  readonly provider: string;
  readonly model: string;
}

/** A request to a model that is under way. */
export interface CountedRequest {
  first(): void;
  answered(tokens: Tokens): void;
  failed(fault: { readonly limited: boolean }, tokens: Tokens): void;
  left(tokens: Tokens): void;
}

/** Counts requests to models as they end. */
export function modelRequestCounter({ ended }: ModelMetrics): { begin(asked: AskedModel): CountedRequest } {
  return {
    begin({ provider, model }) {
      const began = performance.now();
      const since = (): number => (performance.now() - began) / 1000;
      let firstSeconds: number | undefined;
      const end = (outcome: ModelOutcome, tokens: Tokens): void =>
        ended({ provider, model, outcome, seconds: since(), firstSeconds, tokens });
      return {
        first() {
          firstSeconds ??= since();
        },
        answered: (tokens) => end('ok', tokens),
        failed: ({ limited }, tokens) => end(limited ? 'limited' : 'failed', tokens),
        left: (tokens) => end('cancelled', tokens),
      };
    },
  };
}
