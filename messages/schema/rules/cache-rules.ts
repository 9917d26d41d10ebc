import { InvalidRequestError } from '@steadyhand/contracts';
import type { ContentBlockParam } from '../../api/api-types.ts';
import type { CountBody } from '../request-schema.ts';

const MAX_BREAKPOINTS = 4;

interface Breakpoint {
  readonly path: string;
  readonly ttl: '5m' | '1h';
}

interface Cacheable {
  readonly cache_control?: { readonly ttl?: '5m' | '1h' } | null;
}

function breakpoint(holder: Cacheable, path: string): Breakpoint[] {
  return holder.cache_control == null
    ? []
    : [{ path: `${path}.cache_control`, ttl: holder.cache_control.ttl ?? '5m' }];
}

function inBlock(block: ContentBlockParam, path: string): Breakpoint[] {
  const own = 'cache_control' in block ? breakpoint(block as Cacheable, path) : [];
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return own;
  const inner = block.content.flatMap((part, index) =>
    'cache_control' in part ? breakpoint(part as Cacheable, `${path}.content.${index}`) : [],
  );
  return [...inner, ...own];
}

/** Lists the breakpoints in the order in which the API caches: tools, system, messages. */
function breakpointsOf(body: CountBody): Breakpoint[] {
  const system = typeof body.system === 'object' ? body.system : [];
  return [
    ...(body.tools ?? []).flatMap((tool, index) => breakpoint(tool, `tools.${index}`)),
    ...system.flatMap((block, index) => breakpoint(block, `system.${index}`)),
    ...body.messages.flatMap(({ content }, index) =>
      typeof content === 'object'
        ? content.flatMap((block, place) =>
            inBlock(block as ContentBlockParam, `messages.${index}.content.${place}`),
          )
        : [],
    ),
  ];
}

/** The top-level `cache_control` applies to the last block that can have a breakpoint, and must agree with it. */
function checkTopLevel(body: CountBody, found: readonly Breakpoint[]): void {
  if (body.cache_control == null) return;
  const message = body.messages.findLastIndex(({ content = '' }) => content.length > 0);
  const content = body.messages[message]?.content;
  const path = `messages.${message}.content.${typeof content === 'object' ? content.length - 1 : 0}.cache_control`;
  const { ttl = '5m' } = body.cache_control;
  const own = found.find((each) => each.path === path);
  if (own !== undefined && own.ttl !== ttl) {
    throw new InvalidRequestError(
      `Top-level cache_control has ttl='${ttl}' but the target block already has cache_control with ttl='${own.ttl}'`,
    );
  }
}

/** Checks that there are at most four breakpoints and that those of an hour come first. */
export function checkCacheBreakpoints(body: CountBody): void {
  const found = breakpointsOf(body);
  const count = found.length + (body.cache_control == null ? 0 : 1);
  checkTopLevel(body, found);
  if (count > MAX_BREAKPOINTS) {
    throw new InvalidRequestError(
      `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${count}.`,
    );
  }
  const short = found.findIndex(({ ttl }) => ttl === '5m');
  const late = found.findIndex(({ ttl }, index) => ttl === '1h' && short !== -1 && index > short);
  if (late !== -1) {
    throw new InvalidRequestError(
      `${found[late]?.path}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. ` +
        'Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
    );
  }
}
