/** A Temporal service for a test. */
export interface TestEngine {
  readonly address: string;
  stop(): Promise<void>;
}

export async function startTestEngine(
  _options: { searchAttributes?: Record<string, 'Keyword'> } = {},
): Promise<TestEngine> {
  return await Promise.resolve({
    address: process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:17233',
    stop: async () => {},
  });
}
