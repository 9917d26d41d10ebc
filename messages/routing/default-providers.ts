import type { PictureScaler } from '../context/picture-scaler.ts';
import {
  createAnthropicProvider,
  type AnthropicProviderOptions,
} from '../providers/anthropic/anthropic-provider.ts';
import { createProviderRegistry, type ModelCatalog, type ProviderRegistry, type Route } from './registry.ts';
import { REPLAY_PREFIX } from '../providers/replay/recording-files.ts';
import type { Recording } from '../providers/replay/recording.ts';
import { createReplayProvider } from '../providers/replay/replay-provider.ts';
import type { ModelEntry } from './model-entry.ts';
import { type NamedProvider, type ProvidersTable, SCRIPT_MODEL } from './providers-table.ts';
import { priceOf } from './price.ts';
import { createScriptProvider } from '../providers/script/script-provider.ts';
import type { TextRecognizer } from '../providers/script/text-recognizer.ts';
import { defined } from '../api/defined.ts';
import type { ModelRequestObserver } from '../figures/observer.ts';

interface ProvidersConfig {
  /** The content of a providers file. It replaces all routes except `script`, and `anthropic` is then ignored. */
  readonly table?: ProvidersTable | undefined;
  /** Absent without a configured key; requests for its models then fail with a 404 that says so. */
  readonly anthropic?: AnthropicProviderOptions;
  /** Reads the screen for the `script` provider. Without it, steps that look for text fail with an explanation. */
  readonly recognizer?: TextRecognizer;
  /** Reads the recording of a session of this server, for the models `replay:<session id>`. */
  readonly sessionRecording?: (session: string) => Promise<Recording>;
  /** Scales pictures for `context_care.fit_images`. Without it, requests that ask for that are refused. */
  readonly scaler?: PictureScaler;
  /** Learns of every request to a provider. */
  readonly observer?: ModelRequestObserver | undefined;
}

/** Makes the providers of a server: `script`, and those of the providers file or otherwise the models `claude-*`. */
export function createDefaultProviders(config: ProvidersConfig): ProviderRegistry & ModelCatalog {
  const { table, anthropic, recognizer, sessionRecording, scaler, observer } = config;
  const script: Route = {
    model: SCRIPT_MODEL,
    provider: createScriptProvider({ recognizer }),
    listing: { displayName: 'Script' },
    about: { kind: 'script', address: null, key: 'none' },
  };
  const claude: Route = {
    model: 'claude-*',
    providerName: 'anthropic',
    about: {
      kind: 'anthropic',
      address: anthropic?.baseURL ?? null,
      key: anthropic === undefined ? 'missing' : 'set',
    },
    provider:
      anthropic === undefined
        ? 'no upstream is configured for it: set ANTHROPIC_API_KEY, or name one in a PROVIDERS file'
        : createAnthropicProvider(anthropic),
  };
  const replay = sessionRecording === undefined ? [] : [sessionReplay(sessionRecording)];
  const others = table === undefined ? [claude] : table.models.map((entry) => routeOf(entry, table));
  return createProviderRegistry([script, ...replay, ...others], {
    scaler,
    observer,
    providers: [...(table?.providers.values() ?? [])],
  });
}

/** The ids of sessions begin like this. Other recordings are configured in the providers file. */
const SESSION = 'sesn_';

/** Answers from the recordings of this server's sessions. */
function sessionReplay(recordingOf: (session: string) => Promise<Recording>): Route {
  const provider = createReplayProvider({
    recordingFor: (model) => recordingOf(model.slice(REPLAY_PREFIX.length)),
  });
  return {
    model: `${REPLAY_PREFIX}${SESSION}*`,
    provider,
    tools: 'as_listed',
    about: { kind: 'replay', address: null, key: 'none' },
  };
}

function routeOf(entry: ModelEntry, { providers }: ProvidersTable): Route {
  const { name, kind, provider, about } = providers.get(entry.provider) as NamedProvider;
  const tools = entry.tools ?? kind.tools;
  return {
    model: entry.model,
    provider,
    providerName: name,
    about,
    listing: {
      displayName: entry.display_name ?? null,
      createdAt: entry.created_at ?? null,
      maxInputTokens: entry.max_input_tokens ?? null,
      maxTokens: entry.max_tokens ?? null,
    },
    ...defined({
      aliases: entry.aliases,
      upstreamModel: entry.upstream_model,
      tools,
      context: entry.context,
      record: entry.record,
      imageLimits: entry.image_limits,
      price: entry.price === undefined ? undefined : priceOf(entry.price),
    }),
  };
}
