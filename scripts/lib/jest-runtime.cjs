/**
 * Jest's own loader of modules, but that the product's modules and the packages are loaded once for all test files of a worker
 * (`jest-environment.mjs` says why). Modules below test/ and what tests build are loaded anew for each file.
 */
const path = require('node:path');
const { default: Runtime } = require('jest-runtime');

const ROOT = path.resolve(__dirname, '../..');
/** Folders whose modules hold what belongs to one test, or run as programs of their own. */
const NOT_SHARED = new Set(['.tmp', 'bench', 'dist', 'docs', 'examples', 'test', 'web']);

/** @param {string} file */
function isShared(file) {
  const [first = ''] = path.relative(ROOT, file).split(path.sep);
  return first !== '..' && !NOT_SHARED.has(first);
}

/**
 * The modules of a test file by their files, those that it shares with others among them.
 * @augments {Map<string, unknown>}
 */
class Modules extends Map {
  /** @param {Map<string, unknown>} shared */
  constructor(shared) {
    super();
    this.shared = shared;
  }

  /** @override @param {string} file */
  get(file) {
    return super.get(file) ?? this.shared.get(file);
  }

  /** @override @param {string} file */
  has(file) {
    return super.has(file) || this.shared.has(file);
  }

  /** @override @param {string} file @param {unknown} module */
  set(file, module) {
    // Map's own constructor does not come here, as it is given nothing.
    if (isShared(file)) this.shared.set(file, module);
    else super.set(file, module);
    return this;
  }

  /** @override @param {string} file */
  delete(file) {
    return super.delete(file) || this.shared.delete(file);
  }
}

/**
 * The runtime of the test file at work: a shared module that loads another one late loads it for that file.
 * @type {Runtime | undefined}
 */
let current;

/**
 * Where the source maps of all modules lie, so that a stack trace names the line of a module which an earlier file loaded.
 * @type {Map<string, string>}
 */
const sourceMaps = new Map();

module.exports = class SharingRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} given */
  constructor(...given) {
    super(...given);
    current = this;
    const [, environment] = given;
    const shared = /** @type {unknown} */ (Reflect.get(environment, 'sharedModules'));
    if (!isMap(shared)) return;
    const registries = replaceable(this, 'registries', 'moduleRegistry');
    Reflect.set(registries, 'moduleRegistry', new Modules(shared));
    Reflect.set(replaceable(this, 'transformCache', 'sourceMaps'), 'sourceMaps', sourceMaps);
    const builder = replaceable(this, 'requireBuilder', 'requireDispatch');
    Reflect.set(builder, 'requireDispatch', (/** @type {string} */ from, /** @type {string} */ name) =>
      ((isShared(from) ? current : undefined) ?? this).requireModuleOrMock(from, name),
    );
  }
};

/** @type {(value: unknown) => value is Map<string, unknown>} */
function isMap(value) {
  return value instanceof Map;
}

/**
 * A part of jest's runtime that has a property, which is no promise of jest's.
 * @param {Runtime} runtime
 * @param {string} part
 * @param {string} property
 * @returns {object}
 */
function replaceable(runtime, part, property) {
  const found = /** @type {unknown} */ (Reflect.get(runtime, part));
  if (typeof found === 'object' && found !== null && property in found) return found;
  throw new Error(`this version of jest-runtime has no ${part}.${property}`);
}
