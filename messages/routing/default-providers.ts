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
import { createScriptProvider } from '../providers/script/script-provider.ts';
import type { TextRecognizer } from '../providers/script/text-recognizer.ts';

interface ProvidersConfig {
  /** A providers file's content. With one, its routes and `script` are all there is; `anthropic` then says nothing. */
  readonly table?: ProvidersTable | undefined;
  /** Absent when no key is configured; its models then answer 404 and say so. */
  readonly anthropic?: AnthropicProviderOptions;
  /** Reads the screen for the `script` provider; absent, its steps that look for text fail and say so. */
  readonly recognizer?: TextRecognizer;
  /** The recording of a session of this server, for the models `replay:<session id>`; absent, there are none. */
  readonly sessionRecording?: (session: string) => Promise<Recording>;
  /** Scales pictures for `context_care.fit_images`; absent, requests that ask for it are refused. */
  readonly scaler?: PictureScaler;
}

/** The models of a server: `script`, and those of its providers file, else everything named `claude-...`. */
export function createDefaultProviders(config: ProvidersConfig): ProviderRegistry & ModelCatalog {
  const { table, anthropic, recognizer, sessionRecording, scaler } = config;
  const script: Route = {
    model: SCRIPT_MODEL,
    provider: createScriptProvider({ recognizer }),
    listing: { displayName: 'Script' },
  };
  const claude: Route = {
    model: 'claude-*',
    provider:
      anthropic === undefined
        ? 'no upstream is configured for it: set ANTHROPIC_API_KEY, or name one in a PROVIDERS file'
        : createAnthropicProvider(anthropic),
  };
  const replay = sessionRecording === undefined ? [] : [sessionReplay(sessionRecording)];
  const others = table === undefined ? [claude] : table.models.map((entry) => routeOf(entry, table));
  return createProviderRegistry([script, ...replay, ...others], { scaler });
}

/** Sessions' ids begin so. Other recordings are the providers file's business. */
const SESSION = 'sesn_';

/** A session of this server answers as it did. */
function sessionReplay(recordingOf: (session: string) => Promise<Recording>): Route {
  const provider = createReplayProvider({
    recordingFor: (model) => recordingOf(model.slice(REPLAY_PREFIX.length)),
  });
  return { model: `${REPLAY_PREFIX}${SESSION}*`, provider, tools: 'as_listed' };
}

function routeOf(entry: ModelEntry, { providers }: ProvidersTable): Route {
  const { name, kind, provider } = providers.get(entry.provider) as NamedProvider;
  const tools = entry.tools ?? kind.tools;
  return {
    model: entry.model,
    provider,
    providerName: name,
    listing: {
      displayName: entry.display_name ?? null,
      createdAt: entry.created_at ?? null,
      maxInputTokens: entry.max_input_tokens ?? null,
      maxTokens: entry.max_tokens ?? null,
    },
    ...(entry.aliases === undefined ? {} : { aliases: entry.aliases }),
    ...(entry.upstream_model === undefined ? {} : { upstreamModel: entry.upstream_model }),
    ...(tools === undefined ? {} : { tools }),
    ...(entry.context === undefined ? {} : { context: entry.context }),
    ...(entry.record === undefined ? {} : { record: entry.record }),
    ...(entry.image_limits === undefined ? {} : { imageLimits: entry.image_limits }),
  };
}
