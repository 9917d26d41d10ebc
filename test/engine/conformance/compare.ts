import type { NormalEvent } from './normalise.ts';

/** How far a run may depart from the recorded one because its course depends on who is first. */
export interface Tolerance {
  /** Why the order of events is not the same in every run. */
  readonly racy: string;
  /** Event types of which there may be fewer or more, and why. */
  readonly optional?: Readonly<Record<string, string>>;
  /** Event types of which there may be more, and why. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * The differences between a run and the recorded one, one a line; none when they are the same. With a tolerance, the
 * successful workflow tasks and the order of the other events do not count, but what events there are and what they say does.
 */
export function differences(
  actual: readonly NormalEvent[],
  golden: readonly NormalEvent[],
  tolerance?: Tolerance,
): string[] {
  if (tolerance !== undefined) return unordered(actual, golden, tolerance);
  const types = (events: readonly NormalEvent[]): string[] => events.map((e) => e.type);
  const lines: string[] = [];
  const same = types(actual).join() === types(golden).join();
  if (!same) {
    lines.push('event sequence differs:');
    const width = Math.max(...golden.map((e) => e.type.length), 8);
    for (let i = 0; i < Math.max(actual.length, golden.length); i += 1) {
      const [ours = '-', theirs = '-'] = [actual[i]?.type, golden[i]?.type];
      lines.push(
        `  ${String(i + 1).padStart(3)} ${theirs.padEnd(width)} ${ours === theirs ? '' : `| here ${ours}`}`,
      );
    }
    return lines;
  }
  for (const [i, event] of actual.entries()) {
    const expected = golden[i];
    if (expected !== undefined) lines.push(...fieldDifferences(event, expected));
  }
  return lines;
}

function fieldDifferences(actual: NormalEvent, golden: NormalEvent): string[] {
  const ours = flatten(contents(actual));
  const theirs = flatten(contents(golden));
  const lines: string[] = [];
  for (const path of new Set([...theirs.keys(), ...ours.keys()])) {
    const [here, there] = [ours.get(path), theirs.get(path)];
    if (here === there) continue;
    const what =
      here === undefined
        ? `missing, recorded ${there}`
        : there === undefined
          ? `${here}, not recorded`
          : `${here}, recorded ${there}`;
    lines.push(`${actual.id} ${actual.type} ${path}: ${what}`);
  }
  return lines;
}

function contents({ attributes, userMetadata, eventGroupMarkers }: NormalEvent): object {
  return {
    ...attributes,
    ...(userMetadata === undefined ? {} : { userMetadata }),
    ...(eventGroupMarkers === undefined ? {} : { eventGroupMarkers }),
  };
}

function flatten(node: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof node === 'object' && node !== null && Object.keys(node).length > 0) {
    for (const [key, child] of Object.entries(node))
      flatten(child, path === '' ? key : `${path}.${key}`, found);
  } else {
    found.set(path, JSON.stringify(node));
  }
  return found;
}

function unordered(
  actual: readonly NormalEvent[],
  golden: readonly NormalEvent[],
  tolerance: Tolerance,
): string[] {
  const { optional = {}, extra = {} } = tolerance;
  const ours = keys(actual);
  const lines: string[] = [];
  for (const key of keys(golden)) {
    const at = ours.indexOf(key);
    if (at >= 0) ours.splice(at, 1);
    else if (!(typeOf(key) in optional)) lines.push(`missing: ${key}`);
  }
  for (const key of ours) {
    if (!(typeOf(key) in optional) && !(typeOf(key) in extra)) lines.push(`not recorded: ${key}`);
  }
  return lines.toSorted((a, b) => a.replace(/^[^:]*: /, '').localeCompare(b.replace(/^[^:]*: /, '')));
}

/** Each event but those of successful workflow tasks as a text, without the ids of other events. */
function keys(events: readonly NormalEvent[]): string[] {
  return events
    .filter((e) => !/^WORKFLOW_TASK_(SCHEDULED|STARTED|COMPLETED)$/.test(e.type))
    .map((e) => {
      const fields = [...flatten(contents(e))].filter(([path]) => !/EventId$|^startedEventId$/.test(path));
      return `${e.type} ${fields
        .map(([path, v]) => `${path}=${v}`)
        .toSorted()
        .join(' ')}`;
    });
}

function typeOf(key: string): string {
  return key.split(' ', 1)[0] ?? '';
}
