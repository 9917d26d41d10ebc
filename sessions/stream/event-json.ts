import type { BlobSource, LogEvent } from '../events/types.ts';
import { valueJson } from './value-json.ts';
import { type BlobLink, viewEvent } from './event-view.ts';

/** A part of an event's JSON: text, or a blob whose base64 stands in its place. */
export type JsonPart = string | BlobSource;

/**
 * An event as clients read it, as JSON in parts: no part is much longer than 64 Ki characters, whatever the event holds.
 * @param link makes links in place of the bytes of pictures
 */
export function* eventJson(event: LogEvent, link?: BlobLink): Generator<JsonPart, void, undefined> {
  const view = viewEvent(event);
  if (!('content' in view) || !Array.isArray(view.content) || !view.content.some(hasBlob)) {
    yield* valueJson(view);
    return;
  }
  const { content, ...rest } = view;
  yield* memberJson(rest);
  yield ',"content":[';
  for (const [index, block] of content.entries()) {
    if (index > 0) yield ',';
    yield* blockJson(block, link);
  }
  yield ']}';
}

/** Sources stand directly in their blocks; nothing deeper holds bytes. */
function* blockJson(block: object, link?: BlobLink): Generator<JsonPart, void, undefined> {
  if (!hasBlob(block)) {
    yield* valueJson(block);
    return;
  }
  const { source, ...rest } = block;
  const { sha256, media_type } = source;
  if (link !== undefined) {
    yield* valueJson({ ...rest, source: { type: 'url', url: link(sha256, media_type) } });
    return;
  }
  yield* memberJson(rest);
  yield `,"source":{"type":"base64","media_type":${JSON.stringify(media_type)},"data":"`;
  yield source;
  yield '"}}';
}

/** An object's JSON without its closing brace. The objects here have at least their type. */
function* memberJson(value: object): Generator<string, void, undefined> {
  let last = '';
  for (const part of valueJson(value)) {
    if (last !== '') yield last;
    last = part;
  }
  yield last.slice(0, -1);
}

function hasBlob(block: object): block is { readonly source: BlobSource } {
  if (!('source' in block) || typeof block.source !== 'object' || block.source === null) return false;
  return 'type' in block.source && block.source.type === 'blob';
}
