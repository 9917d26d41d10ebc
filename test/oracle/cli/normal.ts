const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const replaced: readonly (readonly [RegExp, string])[] = [
  [uuid, '<uuid>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?(Z|UTC|[+-]\d{4}( UTC)?))?/g, '<time>'],
  [/\b(a|an|\d+) (second|minute|hour|day|month|year)s? (ago|from now)\b|\bnow\b/g, '<time>'],
  [/\b(\d+(\.\d+)?(h|ms|m|s|µs))+\b/g, '<duration>'],
  [
    /"(taskId|historySizeBytes|stateTransitionCount|stateSizeBytes|version|nanos|HistorySize)": ?"?\d+"?/gi,
    '"$1": <n>',
  ],
  [/\b(HistorySize|StateTransitionCount|History Size|State Transition Count)\s+\d+/g, '$1 <n>'],
  [/\b(taskId|historySizeBytes|durationMillis|nanos)"?: ?\d+/g, '$1: <n>'],
  [/"longPollToken": "[^"]*"/g, '"longPollToken": "<bytes>"'],
  [/\d+@[\w.-]+/g, '<identity>'],
  [/[A-Za-z0-9+/]{60,}={0,2}/g, '<bytes>'],
  // In no order of their own.
  [/^(\s*|.*coreUsedFlags\[\d+\]: )\d+(,?)$/gm, '$1<n>'],
  // Columns are as wide as what stands in them.
  [/[ \t]+/g, ' '],
  [/-{3,}/g, '---'],
  [/ +$/gm, ''],
];

/** What a command printed, without what differs from run to run by nature. */
export function normal(text: string, address: string): string {
  let result = address === '' ? text : text.replaceAll(address, '<address>');
  for (const [pattern, by] of replaced) result = result.replaceAll(pattern, by);
  return result.trim();
}
