import { parsePreviousKeys, parseSecretsKey } from './secrets-key.ts';
import {
  addresses,
  addressRanges,
  file,
  folder,
  httpUrl,
  limit,
  matching,
  named,
  onOff,
  oneOf,
  port,
  postgresUrl,
  privateHosts,
  secret,
  wholeNumber,
  workerQueues,
} from './variable.ts';

/** Every environment variable that the product reads, in the order of the documentation. */
export const VARIABLES = named({
  PORT: port({ meaning: 'The HTTP port; 0 takes a free one.', fallback: '8080' }),
  HOST: matching(/^(?:[A-Za-z0-9.-]+|[0-9A-Fa-f:.]+)$/, 'a host name or an IP address', {
    meaning: 'The address that the HTTP server listens on. Anything but loopback needs an API key.',
    fallback: '127.0.0.1',
  }),
  HEALTH_PORT: port({
    meaning:
      'The port of a worker (`--role=worker`) for `/livez`, `/readyz` and `/metrics`, on `HOST`; 0 takes a free one. The other ' +
      'roles have them on `PORT`.',
    fallback: '8081',
  }),
  METRICS_ACCESS: oneOf(['key', 'open'], {
    meaning:
      'Who reads `/metrics`: those who send a client key (on loopback without keys: everybody there), or `open`: everybody who ' +
      'reaches the port. `/livez` and `/readyz` never ask for a key.',
    fallback: 'key',
  }),
  DRAIN_DELAY_MS: wholeNumber(0, 600_000, {
    meaning:
      'Milliseconds after SIGTERM in which `/readyz` says no while everything is still served, so that a balancer can take the ' +
      'process out first.',
    fallback: '0',
  }),
  DRAIN_TIMEOUT_MS: wholeNumber(100, 3_600_000, {
    meaning:
      'Milliseconds after which requests under way are cut when the process stops; a worker gives its activities up then.',
    fallback: '10000',
  }),
  WORKER_GRACE_MS: wholeNumber(0, 3_600_000, {
    meaning:
      'Milliseconds that activities may take to end when a worker stops. Those that have not are canceled, and another worker goes on.',
    fallback: '3000',
  }),
  HEARTBEAT_TIMEOUT_MS: wholeNumber(200, 600_000, {
    meaning:
      "Milliseconds without a heartbeat after which a session's step counts as lost with its worker, and another worker takes it. " +
      'Sessions keep what was set when their workflow began.',
    fallback: '1500',
  }),
  STICKY_TIMEOUT_MS: wholeNumber(100, 600_000, {
    meaning:
      'Milliseconds that a task of a workflow waits for the worker that has the workflow in memory before any other may take it.',
    fallback: '1000',
  }),
  // At most what Temporal takes where nobody says. The default is ten times what a replay of the longest run costs a processor
  // (RUN_EVENTS in app/workflow-runtime.ts): one that takes longer would be begun again and again, as each attempt begins with it.
  WORKFLOW_TASK_TIMEOUT_MS: wholeNumber(1000, 10_000, {
    meaning:
      'Milliseconds that a worker may take for a task of a workflow, a replay of its history included; then it counts as lost with its ' +
      'worker, and another worker takes it. Workflows keep what was set when they began.',
    fallback: '5000',
  }),
  WORKER_DEPLOYMENT: matching(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/,
    'letters, digits, hyphens and underscores',
    {
      meaning:
        "The name of the workers' deployment, which turns Temporal's worker versioning on: see cluster.md.",
      otherwise: 'workers have no versions: each takes every task',
    },
  ),
  WORKER_BUILD_ID: matching(/^[A-Za-z0-9][A-Za-z0-9_.+-]{0,199}$/, 'letters, digits and `_.+-`', {
    meaning: "The version of this worker's code, with `WORKER_DEPLOYMENT`.",
    otherwise: "the product's version and the first digits of the workflows' SHA-256",
  }),
  START_WAIT_MS: wholeNumber(0, 86_400_000, {
    meaning:
      'Milliseconds that a start waits for the Temporal service while it cannot be reached. It says so, and `/readyz` says no. ' +
      '0: the start fails at once.',
    fallback: '300000',
  }),
  DATA_DIR: folder({
    meaning: 'The folder of everything durable: the engine, the store, the sandboxes, `server.pid`.',
    fallback: './data',
  }),
  STORE: postgresUrl({
    meaning:
      'The PostgreSQL database of sessions and all other records, which several servers and workers share: see shared-state.md.',
    otherwise: 'SQLite in `DATA_DIR/store`',
  }),
  STORAGE_RESERVE_MIB: wholeNumber(0, 4096, {
    meaning:
      'MiB on the disk of `DATA_DIR` that are reserved for the case that it is full, so that sessions can say so and end. 0: none.',
    fallback: '32',
  }),
  BLOBS: {
    meaning:
      'Where the bytes of pictures, long outputs and files are: in an S3-compatible store, which several machines share; ' +
      'see blobs.md. The bucket has to be there.',
    otherwise: 'files in `DATA_DIR/store`',
    allowed: 's3://bucket/prefix?endpoint=https://host:port&region=us-east-1',
    // The rest is told in detail by what reads the whole address.
    parse: (text) => (text.startsWith('s3://') ? text : undefined),
  },
  AWS_ACCESS_KEY_ID: matching(/^[\x21-\x7e]+$/, 'printable ASCII characters without spaces', {
    meaning: 'The id of the key for the store of `BLOBS`.',
    otherwise: 'needed with `BLOBS=s3://...`',
  }),
  AWS_SECRET_ACCESS_KEY: secret({
    meaning: 'The key for the store of `BLOBS`.',
    otherwise: 'needed with `BLOBS=s3://...`',
  }),
  AWS_SESSION_TOKEN: secret({
    meaning: 'What belongs to a key that holds for a time only.',
    otherwise: 'none',
  }),
  MODELS_DIR: folder({ meaning: 'The folder of ONNX model files and their sidecars.', fallback: './models' }),
  DEFAULT_MODEL: matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "a model's name", {
    meaning: 'The image model that answers where a request names none; it is loaded at the start.',
    fallback: 'ocr',
  }),
  INFERENCE_URL: httpUrl({
    meaning:
      'The process that serves the image models (`--role=inference`). Image requests are sent on to it, scripts read screens by it, ' +
      'and this process loads no model.',
    otherwise: 'this process serves them',
  }),
  INFERENCE_API_KEY: secret({
    meaning: 'The client key for `INFERENCE_URL`.',
    otherwise: 'as `API_KEY`',
  }),
  INFERENCE_CONCURRENCY: wholeNumber(1, 256, {
    meaning:
      'How many image models run at a time. Under load each run has one thread, alone it has this many.',
    otherwise: 'the CPU cores that this process may use',
  }),
  INFERENCE_INSTANCES: wholeNumber(1, 256, {
    meaning:
      'How many copies of a model may be in memory to run side by side; those beyond the first start under load.',
    otherwise: 'as `INFERENCE_CONCURRENCY`',
  }),
  INFERENCE_QUEUE: wholeNumber(1, 100_000, {
    meaning: 'How many inference requests may wait; one more is refused at once.',
    fallback: '64',
  }),
  INFERENCE_TIMEOUT_MS: wholeNumber(1, 3_600_000, {
    meaning: 'Milliseconds that an inference request may take, waiting included.',
    fallback: '30000',
  }),
  INFERENCE_RUN_LIMIT_MS: wholeNumber(100, 3_600_000, {
    meaning: 'Milliseconds after which a run that has not ended loses its worker, which is replaced.',
    fallback: '120000',
  }),
  INFERENCE_LOAD_LIMIT_MS: wholeNumber(1000, 3_600_000, {
    meaning: 'Milliseconds after which a model that has not been loaded and run once is refused.',
    fallback: '120000',
  }),
  INFERENCE_LOAD_MEMORY_MIB: wholeNumber(0, 16_777_216, {
    meaning:
      'MiB of memory that a model in `MODELS_DIR` may take while it is loaded and run once, in a process of its own; with ' +
      'more it is refused. 0: no limit.',
    fallback: '4096',
  }),
  INFERENCE_SPINNING: onOff({
    meaning:
      "Whether the runtime's threads wait actively between two operations of a run. A little faster on a host that " +
      'does nothing else, a waste of its cores on any other.',
    fallback: 'off',
  }),
  INFERENCE_BATCH: wholeNumber(1, 64, {
    meaning:
      "How many waiting images may go through a model in one run, where the model's batch size may vary.",
    fallback: '1',
  }),
  UPLOAD_LIMIT_BYTES: wholeNumber(1024, 1_073_741_824, {
    meaning: 'The largest request body that the inference routes take.',
    fallback: '33554432',
  }),
  BATCH_CONCURRENCY: wholeNumber(1, 1000, {
    meaning: 'How many requests of message batches are at the models at a time, in one process.',
    fallback: '8',
  }),
  PIXEL_LIMIT: wholeNumber(1, 1_000_000_000, {
    meaning: 'The most pixels that an image may have; its header is read first.',
    fallback: '50000000',
  }),
  DOCS: onOff({
    meaning: 'Whether the documentation pages and the API descriptions are served.',
    fallback: 'on',
  }),
  TRUSTED_PROXIES: {
    meaning:
      "Proxies before this server, whose `X-Forwarded-For` tells a client's address. It is not believed of anybody else.",
    otherwise: 'none: the address that a connection comes from is the client',
    allowed: 'IP addresses and CIDR ranges, with commas between',
    parse: addressRanges,
  },
  WORKER_QUEUES: {
    meaning:
      'What a worker polls: `sessions`, the work of sessions, `batches`, the requests of message batches, or both.',
    fallback: 'sessions,batches',
    allowed: 'sessions, batches, or both with a comma between',
    parse: workerQueues,
  },
  API_KEY: secret({
    meaning: 'What clients must send, as `x-api-key` or as `Authorization: Bearer`.',
    otherwise:
      'on loopback no key is asked for (requests of foreign pages are refused); elsewhere a key is made at the first ' +
      'start, kept in `DATA_DIR/api-key` and printed once',
  }),
  API_KEYS: file({
    meaning: 'A YAML or JSON file of more client keys, each with a name and limits of its own: see below.',
    otherwise: '`API_KEY` alone',
  }),
  POLICY: file({
    meaning: 'A YAML or JSON file of rules on single actions, for every session and sandbox: see safety.md.',
    otherwise: 'no rules but those of agents, sessions and sandboxes',
  }),
  SECRETS_FILE: file({
    meaning:
      'A YAML or JSON file of values by name that sessions may have as secrets, readable by its owner alone: see secrets.md.',
    otherwise: 'sessions have the secrets that they are given',
  }),
  SECRETS_KEY: {
    meaning:
      'The key that the secrets of sessions are sealed with, the same for every process with the store. With PostgreSQL, this or ' +
      '`SECRETS_KEY_FILE` is needed: `openssl rand -hex 32` makes one.',
    otherwise: 'made at the first start and kept in `DATA_DIR/secrets.key`',
    allowed: '32 bytes as 64 hexadecimal digits or as base64',
    secret: true,
    parse: parseSecretsKey,
  },
  SECRETS_KEY_FILE: file({
    meaning: 'The file that holds that key: its 32 bytes, or their hexadecimal digits or base64.',
    otherwise: '`SECRETS_KEY`',
  }),
  SECRETS_KEY_PREVIOUS: {
    meaning:
      'Earlier keys, with commas between, which open what they have sealed, while new secrets are sealed with the present one; ' +
      '`lost` gives up what was sealed with a key that nobody has any more.',
    otherwise: 'the present key opens all',
    allowed: 'keys as in SECRETS_KEY with commas between, or lost',
    secret: true,
    parse: parsePreviousKeys,
  },
  RATE_LIMIT_REQUESTS: limit({
    meaning: 'Requests a minute that a key may send, where the keys file does not say otherwise.',
  }),
  RATE_LIMIT_INPUT_TOKENS: limit({
    meaning:
      "Tokens a minute that models may read for a key; those read from a provider's cache do not count.",
  }),
  RATE_LIMIT_OUTPUT_TOKENS: limit({ meaning: 'Tokens a minute that models may write for a key.' }),
  RATE_LIMIT_STREAMS: limit({ meaning: 'Streamed replies that a key may have under way at a time.' }),
  ORGANIZATION_ID: matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a UUID in lower case', {
    meaning: 'What answers say in `anthropic-organization-id`.',
    otherwise: 'made at the first start and kept in `DATA_DIR/organization-id`',
  }),
  ENGINE: oneOf(['embedded', 'dev-server', 'cluster'], {
    meaning:
      'Where Temporal comes from: this process, the official `temporal` CLI found on PATH, or a service elsewhere.',
    otherwise: '`cluster` when `TEMPORAL_ADDRESS` is set, else `embedded`',
  }),
  ENGINE_PORT: port({
    meaning: "The embedded engine's gRPC port on loopback; the next free one when it is taken, 0 for any.",
    fallback: '7233',
  }),
  ENGINE_ACCESS: oneOf(['token', 'open'], {
    meaning:
      "Who may call the embedded engine's gRPC port: those who present the token in `DATA_DIR/engine/token` as their API key, " +
      'or every program on this machine, which may then approve what agents ask for.',
    fallback: 'token',
  }),
  ENGINE_KEYS: file({
    meaning:
      "A YAML or JSON file of keys beside the embedded engine's token, each with the namespaces that it opens: see engine-access.md.",
    otherwise: 'the token alone',
  }),
  ENGINE_SOCKET: onOff({
    meaning:
      'Whether the embedded engine also serves the Unix socket `DATA_DIR/engine/temporal.sock`, without a key, to whoever may enter that folder.',
    fallback: 'off',
  }),
  ENGINE_TLS_CERT: file({
    meaning: 'The PEM file of the certificate by which the embedded engine serves TLS.',
    otherwise: 'it serves no TLS',
  }),
  ENGINE_TLS_KEY: file({
    meaning: "The PEM file of that certificate's private key.",
    otherwise: 'it serves no TLS',
  }),
  ENGINE_TLS_CLIENT_CA: file({
    meaning:
      'A PEM file of authorities: clients come in by TLS with a certificate that one of them has signed, and need no key.',
    otherwise: 'clients present a key by TLS, too',
  }),
  ENGINE_TLS_HOST: matching(/^(?:[A-Za-z0-9.-]+|[0-9A-Fa-f:.]+)$/, 'a host name or an IP address', {
    meaning: 'The address that the embedded engine serves TLS on.',
    fallback: '127.0.0.1',
  }),
  ENGINE_TLS_PORT: port({ meaning: "The embedded engine's TLS port; 0 takes a free one.", fallback: '7234' }),
  TEMPORAL_ADDRESS: matching(/^[A-Za-z0-9.\-[\]:]+:\d{1,5}$/, 'host:port', {
    meaning: "The Temporal service. TLS and API keys come from Temporal's own environment configuration.",
    otherwise: 'what that configuration says',
  }),
  TEMPORAL_METRICS: matching(/^[A-Za-z0-9.\-[\]:]+:\d{1,5}$/, 'host:port', {
    meaning:
      "Where Temporal's SDK serves the metrics of its own worker and connections to Prometheus, beside `/metrics`. It asks for no key.",
    otherwise: 'nowhere',
  }),
  TEMPORAL_NAMESPACE: matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'a Temporal namespace', {
    meaning: 'The namespace that workflows run in.',
    fallback: 'default',
  }),
  CODEC_ENDPOINT: httpUrl({
    meaning:
      "A codec server by Temporal's protocol (`/decode`, `/encode`), for payloads that the clients of workflows have encoded. " +
      'The workflow routes send it what they cannot decode themselves.',
    otherwise: 'such payloads stay as they are',
  }),
  CODEC_AUTHORIZATION: secret({
    meaning: 'The codec server gets this in the header `Authorization`, after `Bearer`.',
    otherwise: 'it gets no such header',
  }),
  MACHINES: file({
    meaning:
      'A JavaScript module that exports workflows made by `machineWorkflow`, under their types: their histories are explained, ' +
      "as the sessions' are.",
    otherwise: "the sessions' alone",
  }),
  PROVIDERS: file({
    meaning: 'The YAML or JSON file that says which provider answers for which model: see below.',
    otherwise:
      '`./providers.yaml` where there is one; else `script`, and `claude-*` by the two variables that follow',
  }),
  ANTHROPIC_API_KEY: secret({
    meaning: 'The key for the `anthropic` provider.',
    otherwise: 'that provider is off',
  }),
  ANTHROPIC_BASE_URL: httpUrl({
    meaning: 'The upstream of the `anthropic` provider.',
    otherwise: 'the official API',
  }),
  SANDBOX_ISOLATION: oneOf(['auto', 'bubblewrap', 'container', 'remote', 'none'], {
    meaning:
      "What stands between an agent's computer and this one. `auto` takes bubblewrap where it works, and on macOS and under " +
      'WSL otherwise a container of docker or podman; elsewhere the others must be asked for by name: such a container, a ' +
      'machine of the sandbox pool, or nothing.',
    fallback: 'auto',
  }),
  SANDBOX_EGRESS_ALLOW_PRIVATE: {
    meaning:
      'Internal hosts that the programs in sandboxes may reach, where their networking allows it too. All other addresses of ' +
      'this machine and of private networks are refused.',
    otherwise: 'none',
    allowed:
      'host names, `*.name`, each with `:port` or not, IP addresses and CIDR ranges, with commas between',
    parse: privateHosts,
  },
  SANDBOX_EGRESS_RESOLVE: oneOf(['local', 'upstream'], {
    meaning:
      'Who looks up the names that sandboxes connect to where `HTTPS_PROXY` leads out: `local`, this machine, which checks the ' +
      'address and asks the proxy for it, or `upstream`, that proxy, which is given the names and answers for where they lead.',
    fallback: 'local',
  }),
  SANDBOX_MEMORY_MIB: wholeNumber(0, 16_777_216, {
    meaning: 'MiB of memory that a sandbox may take, where it is not made with its own limit; 0: no limit.',
    fallback: '4096',
  }),
  SANDBOX_PROCESSES: wholeNumber(32, 4_194_304, {
    meaning: 'Processes and threads that a sandbox may have, where it is not made with its own limit.',
    fallback: '4096',
  }),
  SANDBOX_DISK_MIB: wholeNumber(0, 1_073_741_824, {
    meaning: "MiB that a sandbox's workspace may take, where it is not made with its own limit; 0: no limit.",
    fallback: '10240',
  }),
  SANDBOX_FILES: wholeNumber(0, 1_000_000_000, {
    meaning:
      "Files and folders that a sandbox's workspace and outputs may have together, where it is not made with its own limit; " +
      '0: no limit.',
    fallback: '1000000',
  }),
  SANDBOX_CPUS: wholeNumber(1, 1024, {
    meaning: "How many CPU cores' time a sandbox may take, where it is not made with its own limit.",
    otherwise: 'no limit',
  }),
  SANDBOX_IMAGE: matching(/^[a-z0-9][\w./:@-]*$/, 'the name of an image', {
    meaning: 'The image of the containers that `SANDBOX_ISOLATION=container` starts.',
    fallback: 'steadyhand-sandbox',
  }),
  SANDBOX_POOL_TOKEN: matching(
    /^[\x21-\x7e]{16,}$/,
    'at least 16 printable ASCII characters without spaces',
    {
      meaning: 'What this server and the members of its sandbox pool prove to each other that they know.',
      otherwise: 'there is no pool',
      secret: true,
    },
  ),
  SANDBOX_WAIT_SECONDS: wholeNumber(1, 604_800, {
    meaning:
      'How long a session waits in line for a place on a machine of the pool, and for a machine that is away, before its turn ends ' +
      'with an error. Requests for a sandbox without a session wait 30 seconds.',
    fallback: '1800',
  }),
  SANDBOX_LOST_SECONDS: wholeNumber(5, 604_800, {
    meaning:
      'After how many seconds of silence a machine of the pool counts as gone for good: its computers are lost then, are said ' +
      'to be, and are ended there should it come back.',
    fallback: '120',
  }),
  SANDBOX_MEMBERS: addresses({
    meaning: 'Members of the pool that do not register by themselves.',
    otherwise: 'those that register',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    meaning: 'The least severe log line to write (JSON on standard error).',
    fallback: 'info',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
    meaning:
      'A collector of traces, by OTLP over HTTP in protobuf; `/v1/traces` is added. OpenTelemetry’s further variables are in ' +
      '[observability.md](observability.md#switching-it-on).',
    otherwise: 'no traces',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl({
    meaning: 'The same as a whole address, for traces alone.',
    otherwise: 'as the variable before',
  }),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none'], {
    meaning: '`none`: no traces, whatever the two variables before say.',
    fallback: 'otlp',
  }),
  OTEL_SDK_DISABLED: oneOf(['true', 'false'], { meaning: '`true`: the same.', fallback: 'false' }),
  SYSTEM_PACKAGES: oneOf(['install', 'skip'], {
    meaning: 'Whether `npm start` may install missing Debian packages (as root or with a passwordless sudo).',
    fallback: 'install',
  }),
});

/** The one command-line option: `--role=all`. */
export const ROLE = {
  name: '--role',
  ...oneOf(['all', 'server', 'worker', 'inference', 'migrate'], {
    meaning:
      'Which part this process plays: all of them, HTTP alone, the Temporal worker alone, or the image models alone; ' +
      '`migrate` makes the tables, or brings them up to date, and ends. `server` and `worker` need `ENGINE=cluster`: see cluster.md.',
    fallback: 'all',
  }),
};

export type Role = Exclude<NonNullable<ReturnType<typeof ROLE.parse>>, 'migrate'>;
