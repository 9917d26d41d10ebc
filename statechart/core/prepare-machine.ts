import { createMachine, type AnyActorLogic, type AnyStateMachine } from 'xstate';
import type { ActorSpec, ActorSpecs } from './actor-spec.ts';
import { durableLogic, isMachine } from './durable-logic.ts';

/** A machine has a source that cannot be durable as it is written. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

interface InvokeConfig {
  readonly id?: string;
  readonly src: string | AnyActorLogic;
  readonly onSnapshot?: unknown;
}

/** What this module reads of a machine's configuration. */
interface NodeConfig {
  readonly id?: string;
  readonly invoke?: InvokeConfig | readonly InvokeConfig[];
  readonly states?: Readonly<Record<string, NodeConfig>>;
  readonly [key: string]: unknown;
}

/** Where a source stands, for messages. */
interface Place {
  readonly machine: string;
  readonly state?: string;
}

/**
 * Gives every source of a machine the logic that its spec asks for. Machines and transition functions without a spec run in
 * the process.
 *
 * @param fallback The spec of a source that would be refused. Default: it is refused.
 * @throws SourceError for a source that no spec names and that does not survive a crash by itself, with the machine, the state,
 * the source and how to write it instead.
 */
export function prepareMachine(
  machine: AnyStateMachine,
  specs: ActorSpecs,
  fallback?: (source: string) => ActorSpec,
): AnyStateMachine {
  const config = machine.config as unknown as NodeConfig;
  const places = new Map<string, Place>();
  const watched = new Set<string>();
  for (const { state, invoke } of invocations(config, machine.id)) {
    if (typeof invoke.src !== 'string') continue;
    if (!places.has(invoke.src)) places.set(invoke.src, { machine: machine.id, state });
    if (invoke.onSnapshot !== undefined) watched.add(invoke.src);
  }
  const named = machine.implementations.actors as Readonly<Record<string, AnyActorLogic | undefined>>;
  const actors: Record<string, AnyActorLogic> = {};
  for (const name of new Set([
    ...Object.keys(named),
    ...places.keys(),
    ...spawnedNames(config),
    ...durableNames(specs),
  ])) {
    const place = places.get(name) ?? { machine: machine.id };
    const source = { name, logic: named[name], watched: watched.has(name) };
    actors[name] = logicFor(source, { specs, fallback }, place);
  }
  const inline = withOwnSources(config, machine.id, {
    logicOf: (logic, state, id) =>
      logicFor(
        { name: id, logic, watched: false, isInline: true },
        { specs, fallback },
        { machine: machine.id, state },
      ),
    isDurable: (name) => (specs[name] ?? specs['*'] ?? { kind: 'in-process' }).kind !== 'in-process',
  });
  for (const { state, src } of inlineSpawns(config, machine.id)) {
    logicFor(
      { name: state, logic: src, watched: false, isInline: true },
      { specs, fallback },
      {
        machine: machine.id,
        state,
      },
    );
  }
  const prepared =
    inline === config ? machine : createMachine(inline as never, machine.implementations as never);
  return prepared.provide({ actors } as never) as AnyStateMachine;
}

interface Source {
  /** The name in `setup({ actors })`, or the id of the invocation when it is inline. */
  readonly name: string;
  readonly logic: AnyActorLogic | undefined;
  readonly watched: boolean;
  readonly isInline?: boolean;
}

interface Ways {
  readonly specs: ActorSpecs;
  readonly fallback: ((source: string) => ActorSpec) | undefined;
}

function logicFor(source: Source, { specs, fallback }: Ways, place: Place): AnyActorLogic {
  const { name, logic, watched } = source;
  const needsSpec = logic === undefined || (!isMachine(logic) && logic.start !== undefined);
  const spec: ActorSpec | undefined = specs[name] ?? specs['*'] ?? (needsSpec ? fallback?.(name) : undefined);
  if (spec !== undefined && spec.kind !== 'in-process') {
    return durableLogic({ name, spec, watched }, logic) as AnyActorLogic;
  }
  if (logic === undefined) {
    throw refusal(
      source,
      place,
      'has no logic and no actor spec',
      `activity('${name}', { startToCloseTimeout: '1 minute' })`,
    );
  }
  if (isMachine(logic)) return prepareMachine(logic, { ...specs, ...spec?.actors }, fallback);
  // A logic that starts nothing only answers events, and is as deterministic as the machine itself.
  if (spec !== undefined || logic.start === undefined) return logic;
  throw refusal(
    source,
    place,
    'is a promise, a callback or an observable, which no crash survives as it is',
    `activity('${name}', { startToCloseTimeout: '1 minute' })`,
  );
}

function refusal(
  { name, isInline = false }: Source,
  { machine, state }: Place,
  reason: string,
  way: string,
): SourceError {
  const where = `machine '${machine}'${state === undefined ? '' : `, state '${state}'`}`;
  const advice = isInline
    ? `name it in setup({ actors }) and say how it runs, or say '*': inProcess() when its code is deterministic`
    : `say how it runs, such as actors: { ${key(name)}: ${way} }, or inProcess() when its code is deterministic`;
  return new SourceError(
    `${where}: the ${isInline ? 'inline source of' : 'source'} '${name}' ${reason}; ${advice}`,
  );
}

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

const invokesOf = ({ invoke }: NodeConfig): readonly InvokeConfig[] =>
  invoke === undefined
    ? []
    : Array.isArray(invoke)
      ? (invoke as readonly InvokeConfig[])
      : [invoke as InvokeConfig];

function* nodes(
  config: NodeConfig,
  path: string,
): Generator<{ readonly state: string; readonly node: NodeConfig }> {
  yield { state: path, node: config };
  for (const [name, child] of Object.entries(config.states ?? {})) yield* nodes(child, `${path}.${name}`);
}

function* invocations(
  config: NodeConfig,
  id: string,
): Generator<{ readonly state: string; readonly invoke: InvokeConfig }> {
  for (const { state, node } of nodes(config, id)) {
    for (const invoke of invokesOf(node)) yield { state, invoke };
  }
}

interface Replacements {
  readonly logicOf: (logic: AnyActorLogic, state: string, id: string) => AnyActorLogic;
  readonly isDurable: (name: string) => boolean;
}

/**
 * The configuration with other logics in place of inline ones, and with `onSnapshot` of durable sources as a transition of the
 * state: such an actor sends the snapshots that it hears of, and not one for each event that it passes on. It is the
 * configuration itself when it has neither.
 */
function withOwnSources(config: NodeConfig, path: string, replacements: Replacements): NodeConfig {
  const invokes = invokesOf(config);
  const idOf = (invoke: InvokeConfig, index: number): string => invoke.id ?? `${index}.${config.id ?? path}`;
  const shown: Record<string, unknown> = {};
  const replaced = invokes.map((invoke, index) => {
    const { src, onSnapshot, ...rest } = invoke;
    const id = idOf(invoke, index);
    if (typeof src !== 'string') return { ...invoke, src: replacements.logicOf(src, path, id) };
    if (onSnapshot === undefined || !replacements.isDurable(src)) return invoke;
    shown[`xstate.snapshot.${id}`] = onSnapshot;
    return { ...rest, id, src };
  });
  const states = Object.entries(config.states ?? {}).map(
    ([name, child]) => [name, child, withOwnSources(child, `${path}.${name}`, replacements)] as const,
  );
  const isSame =
    invokes.every((invoke, index) => invoke === replaced[index]) &&
    states.every(([, child, next]) => child === next);
  if (isSame) return config;
  return {
    ...config,
    ...(Object.keys(shown).length === 0 ? {} : { on: { ...shown, ...(config['on'] as object | undefined) } }),
    ...(invokes.length === 0 ? {} : { invoke: replaced }),
    ...(config.states === undefined
      ? {}
      : { states: Object.fromEntries(states.map(([name, , next]) => [name, next])) }),
  };
}

interface SpawnAction {
  readonly type: 'xstate.spawnChild';
  readonly src: string | AnyActorLogic;
}

/** The `spawnChild` actions that the configuration holds as such; those inside functions show themselves only when they run. */
function* spawns(
  config: NodeConfig,
  path: string,
): Generator<{ readonly state: string; readonly src: SpawnAction['src'] }> {
  for (const { state, node } of nodes(config, path)) {
    const { states: _, invoke, ...own } = node;
    for (const action of spawnActions([
      own,
      ...invokesOf({ invoke } as NodeConfig).map(({ src: _src, ...rest }) => rest),
    ])) {
      yield { state, src: action.src };
    }
  }
}

function* spawnActions(value: unknown, depth = 0): Generator<SpawnAction> {
  if (isSpawnAction(value)) {
    yield value;
  } else if (typeof value === 'object' && value !== null && depth < 8) {
    for (const part of Object.values(value)) yield* spawnActions(part, depth + 1);
  }
}

const isSpawnAction = (value: unknown): value is SpawnAction =>
  typeof value === 'function' && 'type' in value && value.type === 'xstate.spawnChild' && 'src' in value;

function* spawnedNames(config: NodeConfig): Generator<string> {
  for (const { src } of spawns(config, '')) if (typeof src === 'string') yield src;
}

/** A function may spawn what the configuration does not show, and a durable source needs no logic in the machine. */
const durableNames = (specs: ActorSpecs): string[] =>
  Object.keys(specs).filter((name) => name !== '*' && specs[name]?.kind !== 'in-process');

function* inlineSpawns(
  config: NodeConfig,
  id: string,
): Generator<{ readonly state: string; readonly src: AnyActorLogic }> {
  for (const { state, src } of spawns(config, id)) if (typeof src !== 'string') yield { state, src };
}
