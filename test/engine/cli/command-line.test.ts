import { readCommandLine } from '../../../engine/cli/command-line.ts';

const startDev = (...args: string[]): ReturnType<typeof readCommandLine> =>
  readCommandLine(['server', 'start-dev', ...args]);

test('a port alone is a test server whose time is locked', () => {
  expect(readCommandLine(['4711'])).toMatchObject({ port: 4711, dbPath: ':memory:', timeSkipping: 'locked' });
});

test('a test server may skip time from the start', () => {
  expect(readCommandLine(['0', '--enable-time-skipping'])).toMatchObject({ timeSkipping: 'unlocked' });
});

test('a dev server by itself', () => {
  const command = startDev();
  expect(command).toMatchObject({ port: 7233, host: '127.0.0.1', dbPath: ':memory:', namespaces: [] });
  expect(command.timeSkipping).toBeUndefined();
});

test('what the SDKs start it with has an effect or is so anyway', () => {
  const line =
    '--port 4711 --namespace default --ip 127.0.0.1 --log-format pretty --log-level warn ' +
    '--dynamic-config-value frontend.enableServerVersionCheck=false ' +
    '--dynamic-config-value frontend.enableUpdateWorkflowExecution=true ' +
    '--db-filename some.db --headless --search-attribute Customer=Keyword';
  const command = startDev(...line.split(' '));
  expect(command).toMatchObject({
    port: 4711,
    host: '127.0.0.1',
    dbPath: 'some.db',
    namespaces: ['default'],
    searchAttributes: { Customer: 'Keyword' },
    log: { level: 'warn', format: 'pretty' },
    notes: [],
  });
});

test('flags in each form of Go programs', () => {
  expect(startDev('-p', '1')).toMatchObject({ port: 1 });
  expect(startDev('-p=2')).toMatchObject({ port: 2 });
  expect(startDev('--port=3')).toMatchObject({ port: 3 });
  expect(startDev('-n', 'a', '--namespace=b', '--headless=true').namespaces).toEqual(['a', 'b']);
});

test('limits are set by the dynamic configuration', () => {
  const settings = [
    'limit.blobSize.error=10240',
    'limit.blobSize.warn=2048',
    'limit.memoSize.error=1024',
    'limit.historyCount.suggestContinueAsNew=100',
    'limit.historySize.suggestContinueAsNew=50000',
    'history.maxInFlightUpdates=3',
  ];
  expect(startDev(...settings.flatMap((setting) => ['--dynamic-config-value', setting]))).toMatchObject({
    limits: {
      blobBytes: 10_240,
      memoBytes: 1024,
      suggestContinueAsNewEvents: 100,
      suggestContinueAsNewBytes: 50_000,
      inFlightUpdates: 3,
    },
    notes: [],
  });
});

test('what is asked for and is not there is said', () => {
  const { notes } = startDev('--ui-port', '1', '--dynamic-config-value', 'history.maxAutoResetPoints=3');
  expect(notes).toEqual([
    'There is no web UI here, so --ui-port has no effect.',
    'The dynamic configuration history.maxAutoResetPoints has no effect here.',
  ]);
});

test.each([
  [['start'], 'expected "server start-dev" or a port'],
  [['server', 'start-dev', '--frobnicate'], 'unknown argument "--frobnicate"'],
  [['server', 'start-dev', '--port'], '--port needs a value'],
  [
    ['server', 'start-dev', '--dynamic-config-value', 'limit.blobSize.error=10k'],
    '--dynamic-config-value limit.blobSize.error takes a whole number above 0, not "10k"',
  ],
  [['server', 'start-dev', '--port', '70000'], '--port takes a number from 0 to 65535, not "70000"'],
  [['server', 'start-dev', '--headless=maybe'], '--headless takes true or false, not "maybe"'],
  [
    ['server', 'start-dev', '--search-attribute', 'A=Blob'],
    '--search-attribute takes NAME=TYPE with the types Text, Keyword, Int, Double, Bool, Datetime, KeywordList, not "A=Blob"',
  ],
  [
    ['server', 'start-dev', '--sqlite-pragma', 'journal_mode=off'],
    '--sqlite-pragma takes synchronous=normal, synchronous=full and journal_mode=wal, not "journal_mode=off"',
  ],
  [
    ['server', 'start-dev', '--log-level', 'loud'],
    '--log-level takes debug, info, warn, error, never, not "loud"',
  ],
  [['1', '--fast'], 'unknown argument "--fast"'],
])('%j is refused', (args, message) => {
  expect(() => readCommandLine(args)).toThrow(message);
});
