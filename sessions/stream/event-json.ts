import type { BlobSource, LogEvent } from '../events/types.ts';
import { isBlobBlock } from '../log/blob-sources.ts';
import { valueJson } from './value-json.ts';
import { type BlobLink, viewEvent } from './event-view.ts';

/** A part of an event's JSON: text, or a blob, which stands for the base64 of its bytes. */
export type JsonPart = string | BlobSource;

/**
 * The JSON of an event for clients, in parts of not much more than 64 Ki characters.
 * @param link makes links that replace the bytes of pictures
 */
export function* eventJson(event: LogEvent, link?: BlobLink): Generator<JsonPart, void, undefined> {
  const view = viewEvent(event);
  if (!('content' in view) || !Array.isArray(view.content) || !view.content.some(isBlobBlock)) {
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

/** The JSON of a content block. Only its `source` holds bytes, nothing deeper. */
function* blockJson(block: object, link?: BlobLink): Generator<JsonPart, void, undefined> {
  if (!isBlobBlock(block)) {
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

/** An object's JSON without its closing brace. The object must have a member. */
function* memberJson(value: object): Generator<string, void, undefined> {
  let last = '';
  for (const part of valueJson(value)) {
    if (last !== '') yield last;
    last = part;
  }
  yield last.slice(0, -1);
}
