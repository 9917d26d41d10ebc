import { createInference, type Inference } from '@steadyhand/inference';
import { createDefaultProviders, type ModelCatalog, type ProviderRegistry } from '@steadyhand/messages';
import { sessionRecording } from '@steadyhand/sessions';
import type { Store } from '@steadyhand/store';
import { modelObserver } from '../model-observer.ts';
import { createPictureScaler } from '../picture-scaler.ts';
import type { Config } from '../config/config.ts';
import type { Start } from './start.ts';

/** Starts the image models, with which scripts read screens. */
export function startInference({ config, root, log, shutdown, screenReader }: Start): Inference {
  const inference = createInference({ ...config.inference, root, modelsDir: config.modelsDir, log });
  shutdown.add(() => inference.close());
  screenReader.open(inference);
  return inference;
}

/** Makes the providers of language models. */
export function openProviders(
  { config, metrics, tracing, providersFile, screenReader }: Start,
  store: Store,
): ProviderRegistry & ModelCatalog {
  return createDefaultProviders({
    ...anthropicUpstream(config),
    table: providersFile?.table,
    recognizer: screenReader.recognizer,
    scaler: createPictureScaler(),
    observer: modelObserver(metrics, tracing),
    sessionRecording: (session) => sessionRecording(store, session),
  });
}

function anthropicUpstream({ anthropic }: Config): Parameters<typeof createDefaultProviders>[0] {
  const { apiKey, baseUrl } = anthropic;
  if (apiKey === undefined) return {};
  return { anthropic: { apiKey, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) } };
}
