import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Batches } from '@steadyhand/batches';
import type { Tracing } from '@steadyhand/contracts';
import type { Inference, ModelStatus } from '@steadyhand/inference';
import type { ModelCatalog, ProviderRegistry } from '@steadyhand/messages';
import type { ActionPolicy, Files, Sessions } from '@steadyhand/sessions';
import type { Blobs, OnceOnly, Rates } from '@steadyhand/store';
import type { WorkflowService } from '@steadyhand/temporal/shapes';
import type { Access } from './auth/access.ts';
import type { Readiness } from './health/readiness.ts';
import type { Listener } from './http/listener.ts';
import type { StreamTiming } from './http/message-stream.ts';
import type { Scrub } from './http/scrub.ts';
import type { InferenceAddress } from './inference/forward.ts';
import type { Health } from './routes/health.ts';
import type { ServerLimit } from './routes/key.ts';
import type { SandboxPoolService } from './routes/sandbox-pool.ts';
import type { SystemService } from './routes/system/shapes.ts';
import type {
  BatchRuntime,
  SandboxFileService,
  SandboxService,
  ScreenRecordingService,
  SessionRuntime,
  SnapshotService,
  WatchingService,
} from './routes/services.ts';

/** What is known of the image models, wherever they are. */
export interface KnownModels extends Pick<Inference, 'ready' | 'observe'> {
  models(): readonly Pick<ModelStatus, 'name' | 'state' | 'reason'>[];
}

/** The image models of this process, or another process that serves them. */
type ImageModels =
  | { readonly inference: Inference; readonly forward?: undefined }
  | { readonly inference: KnownModels; readonly forward: InferenceAddress };

/** What the server is made of. Everything that acts comes in from outside; the server only speaks HTTP. */
export type ServerDeps = OtherDeps & ImageModels;

interface OtherDeps {
  /** Where it listens; default: a port of its own, bound by `listen`. */
  readonly listener?: Listener;
  /** Default: nothing that could be missing. */
  readonly readiness?: Readiness;
  /** Who reads `/metrics`: those who may use the API, or everybody. Default `key`. */
  readonly metricsAccess?: 'key' | 'open';
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
  readonly access: Access;
  /** A UUID: what the answers under /v1 say in `anthropic-organization-id`. */
  readonly organization: string;
  readonly log: Logger;
  /** Takes secrets out of errors' texts; default: the clients' keys, and whatever looks like one. */
  readonly scrub?: Scrub;
  /** Milliseconds since the epoch, for rate limits; default: the clock. */
  readonly now?: () => number;
  /** How answers to wrong keys are delayed; default: a timer. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` tells the client's address; default: none. */
  readonly trustedProxies?: readonly string[];
  /** The folder of `index.html`, served under /static. */
  readonly staticDir: string;
  readonly newId: (prefix: string) => string;
  readonly health: () => Health;
  /** Tells of requests, and of events that were sent; default: nobody. */
  readonly tracing?: Tracing | undefined;
  /** Where the process's metrics are; the server adds its own. */
  readonly metrics?: Registry;
  readonly providers: ProviderRegistry;
  readonly catalog: ModelCatalog;
  readonly sessions: Sessions;
  readonly blobs: Blobs;
  readonly files: Files;
  readonly runtime: SessionRuntime;
  readonly batches: Batches;
  readonly batchRuntime: BatchRuntime;
  readonly sandboxes: SandboxService;
  /** Rules for every action on this server's sandboxes; default: none. */
  readonly policy?: ActionPolicy | undefined;
  readonly sandboxFiles: SandboxFileService;
  /** Machines elsewhere that lend themselves for a sandbox each; without one they cannot register. */
  readonly sandboxPool?: SandboxPoolService;
  readonly snapshots: SnapshotService;
  /** Throws StorageFullError where nothing more is to be put on the disk; default: there is always room. */
  readonly requireRoom?: () => void;
  readonly watching: WatchingService;
  /** The key that viewers' tickets are signed with: the same for all servers that share a store. */
  readonly ticketKey: string;
  readonly onceOnly: OnceOnly;
  /** The levels of keys' limits that all servers share; null where this one counts alone. */
  readonly rates: Rates | null;
  readonly screenRecording: ScreenRecordingService;
  /** The workflows of the namespace. */
  readonly workflows: WorkflowService;
  /** What the process knows of its role, its folders and its task queues. */
  readonly system?: SystemService;
  /** Limits that the configuration sets, to be told to clients. */
  readonly serverLimits?: readonly ServerLimit[];
  /** Whether the pages of the API's description are served: /docs, /redoc and the descriptions themselves. */
  readonly docs: boolean;
  /** The largest request body of the inference routes, in bytes. */
  readonly uploadLimitBytes: number;
  /** Pixels of an image at most, where no model is asked; default: that of the decoder. */
  readonly pixelLimit?: number;
  /** How long a body may take to arrive, in ms; default 60 s, of a batch 280 s. */
  readonly uploadTimeoutMs?: number;
  /** How long a streamed reply may be silent; default 10 s before its first event, 5 s between two. */
  readonly streaming?: StreamTiming;
}
