import { readFileSync } from 'node:fs';

const code = readFileSync('dist/workflow-bundle.js', 'utf8');
const modules = [...code.matchAll(/^\/\*{3}\/ "([^"]+)"/gm)].map((match) => match[1] ?? '');

/** The modules that may run in a workflow: our own two packages, XState's production build, and the SDK's workflow side. */
const DETERMINISTIC = [
  /^\.\/(?:workflows|statechart)\/[a-z/-]+\.ts$/,
  /^\.\/node_modules\/xstate\/dist\/(?!.*development)[A-Za-z0-9.-]+\.m?js$/,
  /^\.\/node_modules\/@temporalio\/(?:workflow|common)\/lib\/(?!.*internal-non-workflow)[a-z0-9/-]+\.js$/,
  /^\.\/node_modules\/@temporalio\/workflow\/package\.json$/,
  /^\.\/node_modules\/@temporalio\/worker\/lib\/workflow-log-interceptor\.js$/,
  /^\.\/node_modules\/(?:long|ms|nexus-rpc)\//,
  // Stands for a module that the bundler left out; it is empty.
  /^\?[0-9a-f]{4}$/,
];

test('the workflow bundle holds deterministic modules only', () => {
  expect(modules.length).toBeGreaterThan(50);
  expect(modules.filter((name) => !DETERMINISTIC.some((allowed) => allowed.test(name)))).toEqual([]);
});

test('a module that the bundler left out is empty', () => {
  for (const name of modules.filter((module) => module.startsWith('?'))) {
    const body = code.slice(code.indexOf(`/***/ "${name}"`)).split(/\/\*{3}\//, 3)[1] ?? '';
    expect(body).toMatch(/\(ignored\)/);
  }
});

test('no module takes time, chance or the machine from outside the sandbox', () => {
  const own = code.split(/^\/\*{3}\/ /m).filter((part) => /^"\.\/(?:workflows|statechart)\//.test(part));
  expect(own.length).toBeGreaterThan(10);
  for (const part of own)
    expect(part).not.toMatch(/\b(?:process\.\w|require\(['"]node:|globalThis\.fetch|crypto\.)/);
});
