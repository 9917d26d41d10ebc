import { createInference, type Inference } from '@steadyhand/inference';
import { createDefaultProviders, type ModelCatalog, type ProviderRegistry } from '@steadyhand/messages';
import { sessionRecording } from '@steadyhand/sessions';
import type { InferenceAddress, KnownModels } from '@steadyhand/server';
import type { Store } from '@steadyhand/store';
import { modelObserver } from '../model-observer.ts';
import { createPictureScaler } from '../picture-scaler.ts';
import type { Config } from '../config/config.ts';
import { RemoteModels } from '../remote-models.ts';
import { createRemoteReader } from '../remote-reader.ts';
import { createScreenReader } from '../screen-reader.ts';
import type { Start } from './start.ts';

/** The image models: in this process, or in another one that they are asked of. */
export type ImageModels =
  | { readonly inference: Inference; readonly forward?: undefined }
  | { readonly inference: KnownModels; readonly forward: InferenceAddress };

/** Starts the image models, with which scripts read screens, or finds those of another process. */
export function openImageModels(start: Start): ImageModels {
  const { config, readiness, screenReader, shutdown } = start;
  const { inferenceService: forward } = config;
  if (forward === undefined) return { inference: startInference(start) };
  const models = new RemoteModels(forward);
  shutdown.add(() => models.close());
  readiness.add({ name: 'inference', isRequired: false, look: (signal) => models.look(signal) });
  screenReader.open(createRemoteReader(forward, models));
  return { inference: models, forward };
}

/** Starts the image models in this process. */
export function startInference({ config, root, log, shutdown, screenReader }: Start): Inference {
  const inference = createInference({ ...config.inference, root, modelsDir: config.modelsDir, log });
  shutdown.add(() => inference.close());
  screenReader.open(createScreenReader(inference));
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
