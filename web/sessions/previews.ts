/** What the server streams of an event before it is in the log. */
export type PreviewPart =
  | {
      readonly type: 'event_start';
      readonly event: { readonly id: string; readonly type: string; readonly name?: string };
    }
  | {
      readonly type: 'event_delta';
      readonly event_id: string;
      readonly delta:
        | { readonly type: 'content_delta'; readonly content: { readonly text: string } }
        | { readonly type: 'thinking_delta'; readonly thinking: string }
        | { readonly type: 'input_json_delta'; readonly partial_json: string };
    };

/** An event that the model is writing. */
export interface Preview {
  readonly id: string;
  readonly type: string;
  readonly name: string | undefined;
  readonly text: string;
}

/** What the model is writing now, by the id that the event will have. Thoughts stay: the log does not hold their text. */
export class Previews {
  readonly #held = new Map<string, Preview>();

  take(part: PreviewPart): void {
    if (part.type === 'event_start') {
      const { id, type, name } = part.event;
      this.#held.set(id, { id, type, name, text: '' });
      return;
    }
    const held = this.#held.get(part.event_id);
    if (held === undefined) return;
    const { delta } = part;
    const more =
      delta.type === 'content_delta'
        ? delta.content.text
        : delta.type === 'thinking_delta'
          ? delta.thinking
          : delta.partial_json;
    this.#held.set(held.id, { ...held, text: held.text + more });
  }

  /** The event itself has come. */
  replaced(id: string): void {
    if (this.#held.get(id)?.type !== 'agent.thinking') this.#held.delete(id);
  }

  /** What was being written will not come any more, e.g. after an interrupt. */
  dropUnfinished(isKnown: (id: string) => boolean): void {
    for (const id of this.#held.keys()) if (!isKnown(id)) this.#held.delete(id);
  }

  all(): ReadonlyMap<string, Preview> {
    return new Map(this.#held);
  }
}

export function isPreviewPart(event: { readonly type: string }): event is PreviewPart {
  return event.type === 'event_start' || event.type === 'event_delta';
}
