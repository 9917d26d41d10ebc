import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The test files of a worker share its realm and the product's modules, and nothing of what one of them leaves behind. */

const ROOT = path.resolve(__dirname, '../..');
const folder = path.join(ROOT, '.tmp', `shared-modules-${process.pid}`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SHARED = `
    const { AsyncLocalStorage } = require('node:async_hooks');
    const { globalHandlers, setUnhandledRejectionHandler } = require('@temporalio/worker/lib/workflow/vm-shared');
    const { ApiError } = require('@steadyhand/contracts');`;

const FILES: Readonly<Record<string, string>> = {
  'own.js': `exports.seen = [];`,
  'a.test.js': `
    ${SHARED}
    const { seen } = require('./own.js');
    test('runs in the realm of the worker itself', () => {
      expect(globalThis).toBe(require('node:vm').runInThisContext('globalThis'));
    });
    test('leaves rejections that are handled later to jest', () => {
      const before = process.listenerCount('unhandledRejection');
      setUnhandledRejectionHandler(() => undefined);
      expect(process.listenerCount('unhandledRejection')).toBe(before);
    });
    test('leaves things behind', () => {
      ApiError.seenBy = ['a'];
      ApiError.storage = new AsyncLocalStorage();
      ApiError.storage.run('a', () => expect(ApiError.storage.getStore()).toBe('a'));
      globalHandlers.install();
      seen.push('a');
      globalThis.left = process.left = 'a';
      process.env.LEFT = 'a';
      delete process.env.GIVEN;
      globalThis.structuredClone = 'a';
      jest.useFakeTimers();
      jest.spyOn(JSON, 'parse').mockReturnValue('a');
    });`,
  'b.test.js': `
    ${SHARED}
    const { seen } = require('./own.js');
    test('finds the product’s modules and nothing else', async () => {
      expect(ApiError.seenBy).toEqual(['a']);
      expect([seen, globalThis.left, process.left, process.env.LEFT]).toEqual([[], undefined, undefined, undefined]);
      // Without this each promise and each asynchronous step would cost more from here on.
      expect(ApiError.storage.enabled ?? false).toBe(false);
      expect(globalHandlers.installed).toBe(false);
      expect(process.env.GIVEN).toBe('given');
      expect(structuredClone({ a: 1 })).toEqual({ a: 1 });
      expect(JSON.parse('1')).toBe(1);
      await new Promise((resolve) => queueMicrotask(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    });`,
  'c.test.js': `/** @own-modules */
    ${SHARED}
    test('has modules of its own', () => expect(ApiError.seenBy).toBeUndefined());`,
  'd.test.js': `
    ${SHARED}
    test('shares them again, and loads late ones', () => {
      expect(ApiError.seenBy).toEqual(['a']);
      expect(require('@steadyhand/contracts').ApiError).toBe(ApiError);
    });`,
  'sequencer.cjs': `
    module.exports = class extends require('@jest/test-sequencer').default {
      sort = (tests) => tests.toSorted((a, b) => a.path.localeCompare(b.path));
    };`,
  'jest.config.mjs': `
    import base from '../../jest.config.mjs';
    export default {
      ...base,
      // No workflow is run here, and the bundle of all is the outer run's.
      globalSetup: undefined,
      rootDir: ${JSON.stringify(ROOT)},
      roots: [${JSON.stringify(folder)}],
      testMatch: ['**/*.test.js'],
      testSequencer: ${JSON.stringify(path.join(folder, 'sequencer.cjs'))},
    };`,
};

test('they find modules loaded, and the realm as it was', () => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text);
  const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
  const { status, stderr } = spawnSync(
    process.execPath,
    [jest, '--ci', '--runInBand', '--config', path.join(folder, 'jest.config.mjs')],
    { cwd: ROOT, env: { ...process.env, GIVEN: 'given' }, encoding: 'utf8' },
  );
  expect({ status, stderr, passed: stderr.includes('Tests:       6 passed') }).toMatchObject({
    status: 0,
    passed: true,
  });
});
