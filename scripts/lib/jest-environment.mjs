/**
 * The environment of every test file: Node's own. Jest gives each test file a realm of its own and loads every module anew into
 * it, which was half of what a usual file cost; and in such a realm each look at a global name goes through a proxy, which was a
 * tenth of the rest. Here the test files of one worker follow each other in the realm of the worker itself, and the product and the
 * packages are loaded into it once (`jest-runtime.cjs`); a test file's own modules, those below test/, are loaded anew. What a file
 * leaves behind in the realm is taken away at its end, but for listeners of the process, some of which tidy up as the worker ends.
 * A file that says `@own-modules` in its first comment, because it replaces modules by others, has a realm and modules of its own.
 */
import { createRequire } from 'node:module';
import { promiseHooks } from 'node:v8';
import vm from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';

const compileFunction = vm.compileFunction;
/** How many frames Node keeps of a stack by default. */
const NODES_LIMIT = 10;
/** Stands for the worker's own realm where jest asks for a context. */
const HERE = Object.freeze({});
/**
 * The last text of each file and the script that was made of it.
 * @type {Map<string, { readonly source: string, readonly head: string, readonly script: vm.Script }>}
 */
const compiled = new Map();

/**
 * Does what `vm.compileFunction` does, for functions that jest makes of whole modules, and compiles each once: a script belongs
 * to no realm.
 * @type {typeof vm.compileFunction}
 */
vm.compileFunction = function compileModule(source, parameters = [], options = {}) {
  const { filename, parsingContext } = options;
  if (!filename || !parsingContext || Object.keys(options).length > 3) {
    return compileFunction(source, parameters, options);
  }
  const head = `(function (${parameters.join(', ')}) {`;
  let entry = compiled.get(filename);
  if (entry?.source !== source || entry.head !== head) {
    // The text starts in the same column, so that places in stack traces stay as they are.
    const script = new vm.Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
    entry = { source, head, script };
    compiled.set(filename, entry);
  }
  const { script } = entry;
  return /** @type {ReturnType<typeof vm.compileFunction>} */ (
    parsingContext === HERE ? script.runInThisContext() : script.runInContext(parsingContext)
  );
};

/**
 * The storages that were made so far and still exist. A storage that was used once costs something at each asynchronous step of
 * its thread from then on, and a Temporal connection never ends the one it makes: after a hundred files that was a fifth of the
 * time.
 * @type {Set<WeakRef<import('node:async_hooks').AsyncLocalStorage<unknown>>>}
 */
const storages = new Set();
const asyncHooks = /** @type {typeof import('node:async_hooks')} */ (
  createRequire(import.meta.url)('node:async_hooks')
);
const { AsyncLocalStorage } = asyncHooks;

/** @augments {AsyncLocalStorage<unknown>} */
class KnownStorage extends AsyncLocalStorage {
  /** @param {ConstructorParameters<typeof AsyncLocalStorage>} given */
  constructor(...given) {
    super(...given);
    storages.add(new WeakRef(this));
  }
}
// Newer versions of Node have a getter there.
Reflect.defineProperty(asyncHooks, 'AsyncLocalStorage', {
  value: KnownStorage,
  configurable: true,
  enumerable: true,
  writable: true,
});

/** Ends what the storages hold. One that is used again begins anew by itself. */
function disableStorages() {
  for (const reference of storages) {
    const storage = reference.deref();
    if (storage === undefined) storages.delete(reference);
    else storage.disable();
  }
}

const { createHook } = promiseHooks;

/**
 * A worker of Temporal hooks into each promise of the thread that its workflows run in, to record a stack for each of theirs. Here
 * that thread is usually that of the tests, and was busy with that for a tenth of their time. Only queries for the stack of a
 * workflow need it, and the tests of those have workers with threads of their own. The storages of Node itself hook into promises
 * here, too, also before their reactions.
 * @type {typeof createHook}
 */
promiseHooks.createHook = (callbacks) =>
  callbacks.before === undefined ? () => undefined : createHook(callbacks);

const addListener = process.on.bind(process);

/**
 * A worker of Temporal ends the process for a rejection that no workflow of its has and that is handled only later. In a test that is
 * for jest to judge.
 * @type {typeof process.on}
 */
process.on = (name, listener) => {
  const isTemporals =
    name === 'unhandledRejection' && new Error().stack?.includes('setUnhandledRejectionHandler');
  return isTemporals ? process : addListener(name, listener);
};

/** Where a worker of Temporal changes how errors describe their stacks, which it never undoes. */
const TEMPORAL_HOOKS = '/node_modules/@temporalio/worker/lib/workflow/vm-shared.js';

/** The worker's realm as the environment of its test files, with the modules that they share. */
class Realm {
  /** @param {ConstructorParameters<typeof TestEnvironment>} given */
  constructor(...given) {
    const [{ projectConfig: config }] = given;
    const { customExportConditions } = config.testEnvironmentOptions;
    this.exportConditions = /** @type {string[]} */ (customExportConditions);
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
    /** @type {Map<string, unknown>} */
    this.modules = new Map();
    this.objects = [globalThis, process].map((object) => ({
      object,
      properties: new Map(
        Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)]),
      ),
    }));
    this.variables = { ...process.env };
  }

  /** Takes away what the last test file added and changed. */
  restore() {
    this.fakeTimersModern.useRealTimers();
    for (const { object, properties } of this.objects) {
      for (const key of Reflect.ownKeys(object)) {
        if (!properties.has(key)) Reflect.deleteProperty(object, key);
      }
      for (const [key, property] of properties) {
        if (property !== undefined && !isSame(property, Reflect.getOwnPropertyDescriptor(object, key)))
          Reflect.defineProperty(object, key, property);
      }
    }
    for (const name of Object.keys(process.env))
      if (!Object.hasOwn(this.variables, name)) delete process.env[name];
    Object.assign(process.env, this.variables);
    disableStorages();
    for (const [file, module] of this.modules) {
      if (file.endsWith(TEMPORAL_HOOKS)) unhook(module);
    }
  }
}

/**
 * Whether a property is as it was. One that is not touched is not set either: to set a process's title, say, writes it anew.
 * @param {PropertyDescriptor} was
 * @param {PropertyDescriptor | undefined} is
 */
function isSame(was, is) {
  return is !== undefined && Object.is(was.value, is.value) && was.get === is.get && was.set === is.set;
}

/** @param {unknown} module */
function unhook(module) {
  const { globalHandlers } = /** @type {{ exports: { globalHandlers: { uninstall(): void } } }} */ (module)
    .exports;
  globalHandlers.uninstall();
}

/** @type {Realm | undefined} */
let realm;

/** What a test file sees of the worker's realm, which is not torn down after the file. */
class SharedEnvironment {
  context = HERE;
  global = globalThis;
  /** Jest's older kind, which no test uses. */
  fakeTimers = null;

  /** @param {Realm} shared */
  constructor(shared) {
    this.moduleMocker = shared.moduleMocker;
    this.fakeTimersModern = shared.fakeTimersModern;
    this.sharedModules = shared.modules;
    this.shared = shared;
  }

  async setup() {
    // Jest raises it to 100, and each frame of a stack that is looked at is found anew in a source map: each call by gRPC makes one.
    Error.stackTraceLimit = NODES_LIMIT;
  }

  async teardown() {
    this.shared.restore();
  }

  exportConditions() {
    return this.shared.exportConditions;
  }

  getVmContext() {
    return HERE;
  }
}

export default class Environment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} given */
  constructor(...given) {
    const [, { docblockPragmas }] = given;
    if (docblockPragmas['own-modules'] !== undefined) return new TestEnvironment(...given);
    realm ??= new Realm(...given);
    return new SharedEnvironment(realm);
  }
}
