/**
 * One tool use of the upstream may become several uses of the client. Their ids say which part of which use they are,
 * so that the parts can be joined in the client's next request without anything being kept here.
 */

/** An id of the upstream that ends like this gets one more such ending, so the last one is always made here. */
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

/** Makes the ids of the parts of a use. A use that stays whole keeps its id. */
export function partIds(id: string, count: number): string[] {
  if (count === 1 && partOf(id) === undefined) return [id];
  return Array.from({ length: count }, (_, index) => `${id}__part${index + 1}of${count}`);
}
