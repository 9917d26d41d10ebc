import type { Limits } from '../embedded/primitives/limits.ts';
import { CommandLineError } from './command-line-error.ts';

/** The settings of Temporal's dynamic configuration that have an effect, and the limits that they set. All are whole numbers. */
const EFFECTIVE: Readonly<Record<string, keyof Limits>> = {
  'limit.blobSize.error': 'blobBytes',
  'limit.memoSize.error': 'memoBytes',
  'limit.historyCount.suggestContinueAsNew': 'suggestContinueAsNewEvents',
  'limit.historySize.suggestContinueAsNew': 'suggestContinueAsNewBytes',
  'history.maxInFlightUpdates': 'inFlightUpdates',
};

/** What SDKs set for their test servers and what is so here anyway, and what changes a server's log alone. */
const ALREADY_SO = [
  'frontend.enableServerVersionCheck',
  'frontend.enableUpdateWorkflowExecution',
  'frontend.enableUpdateWorkflowExecutionAsyncAccepted',
  'frontend.enableExecuteMultiOperation',
  'limit.blobSize.warn',
  'limit.memoSize.warn',
  'system.enableEagerWorkflowStart',
  'system.forceSearchAttributesCacheRefreshOnRead',
];

/**
 * Reads settings of the form KEY=VALUE. Answers the limits that they set, and one sentence for each that has no effect.
 * @throws CommandLineError
 */
export function readDynamicConfig(settings: readonly string[]): {
  readonly limits: Partial<Limits>;
  readonly notes: readonly string[];
} {
  const limits: Partial<Record<keyof Limits, number>> = {};
  const notes: string[] = [];
  for (const setting of settings) {
    const [, key = setting, value = ''] = /^([^=]*)=(.*)$/s.exec(setting) ?? [];
    const limit = Object.hasOwn(EFFECTIVE, key) ? EFFECTIVE[key] : undefined;
    if (limit !== undefined) limits[limit] = wholeNumber(key, value);
    else if (!ALREADY_SO.includes(key)) notes.push(`The dynamic configuration ${key} has no effect here.`);
  }
  return { limits, notes };
}

function wholeNumber(key: string, text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number > 0 && Number.isSafeInteger(number)) return number;
  throw new CommandLineError(
    `--dynamic-config-value ${key} takes a whole number above 0, not ${JSON.stringify(text)}`,
  );
}
