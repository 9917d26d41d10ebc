/**
 * The environment of every test file: Node's own, with modules compiled once per worker. Jest gives each test file a realm of
 * its own and compiles every module anew for it, which was a third of the suite's processor time. A compiled script belongs to
 * no realm, so one worker's test files share it; what runs, and in which realm, stays the same.
 */
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const compileFunction = vm.compileFunction;
/**
 * The last text of each file and the script that was made of it.
 * @type {Map<string, { readonly source: string, readonly head: string, readonly script: vm.Script }>}
 */
const compiled = new Map();

/**
 * Does what `vm.compileFunction` does, for functions that jest makes of whole modules.
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
  return /** @type {ReturnType<typeof vm.compileFunction>} */ (entry.script.runInContext(parsingContext));
};

export default TestEnvironment;
