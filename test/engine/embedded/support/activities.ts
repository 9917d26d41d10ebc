export const testActivities = {
  echo: (text: string): Promise<string> => Promise.resolve(`echo:${text}`),
  noop: (): Promise<void> => Promise.resolve(),
};

export type TestActivities = typeof testActivities;
