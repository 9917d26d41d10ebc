import type { Tracing } from '@steadyhand/contracts';
import type { Tokens } from '../metrics/model-metrics.ts';

interface AskedModel {
  readonly provider: string;
  readonly kind: string;
  readonly model: string;
  readonly streamed: boolean;
  readonly maxTokens: number;
}

/** Names of `gen_ai.provider.name` that differ from our kinds. */
const PROVIDERS: Readonly<Record<string, string>> = { 'openai-compatible': 'openai' };

interface RequestSpan {
  readonly traceparent: string;
  first(): void;
  answered(tokens: Tokens, stopReason: string | null): void;
  failed(fault: { readonly type: string }, tokens: Tokens): void;
  left(tokens: Tokens): void;
}

/** Makes a span of every request to a model, with the attributes of OpenTelemetry's conventions for generative AI. */
export function modelRequestSpans(tracing: Tracing): { begin(asked: AskedModel): RequestSpan } {
  return {
    begin({ provider, kind, model, streamed, maxTokens }) {
      const began = performance.now();
      const span = tracing.begin(`chat ${model}`, {
        kind: 'client',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': PROVIDERS[kind] ?? kind,
          'gen_ai.request.model': model,
          'gen_ai.request.max_tokens': maxTokens,
          'steadyhand.provider': provider,
          'steadyhand.streamed': streamed,
        },
      });
      const end = (tokens: Tokens): void => {
        span.set({
          // The conventions count what came from the cache as input, too.
          'gen_ai.usage.input_tokens': tokens.input + tokens.cache_read + tokens.cache_write,
          'gen_ai.usage.output_tokens': tokens.output,
          'gen_ai.usage.cache_read.input_tokens': tokens.cache_read,
          'gen_ai.usage.cache_creation.input_tokens': tokens.cache_write,
        });
        span.end();
      };
      return {
        traceparent: span.traceparent,
        first: () => span.set({ 'steadyhand.first_piece_ms': Math.round(performance.now() - began) }),
        answered(tokens, stopReason) {
          if (stopReason !== null) span.set({ 'gen_ai.response.finish_reasons': [stopReason] });
          end(tokens);
        },
        failed({ type }, tokens) {
          span.fail(type);
          end(tokens);
        },
        left(tokens) {
          span.fail('cancelled');
          end(tokens);
        },
      };
    },
  };
}
