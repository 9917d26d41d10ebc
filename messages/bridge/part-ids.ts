/**
 * Ids of tool uses that one tool use of the upstream became. They say which part of which use they are, so that the parts are
 * found again in the client's next request, which is all that is remembered of this one.
 */

/** Never at the end of an id that was not made here: one that has it already gets another, of one part. */
const PART = /^(.+)__part([1-9]\d*)of([1-9]\d*)$/;

interface Part {
  /** The upstream's id. */
  readonly base: string;
  /** 1 for the first. */
  readonly part: number;
  readonly of: number;
}

export function partOf(id: string): Part | undefined {
  const found = PART.exec(id);
  if (found === null) return undefined;
  const [, base = '', part, of] = found;
  return { base, part: Number(part), of: Number(of) };
}

/** The ids of the parts of a use. A use that stays whole keeps its id. */
export function partIds(id: string, count: number): string[] {
  if (count === 1 && partOf(id) === undefined) return [id];
  return Array.from({ length: count }, (_, index) => `${id}__part${index + 1}of${count}`);
}
