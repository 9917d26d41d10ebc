import { readItem, writeItem } from '../../client/saved.ts';
import { createStore } from '../../client/store.ts';

/** A query under a name. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

const ITEM = 'steadyhand-workflow-views';

function readViews(): readonly SavedView[] {
  try {
    const held: unknown = JSON.parse(readItem(ITEM) ?? '[]');
    return Array.isArray(held) ? held.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(held: unknown): held is SavedView {
  const { name, query } = (held ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof query === 'string';
}

/** The views of this browser, by name. */
export const views = createStore<readonly SavedView[]>(readViews());

function keep(next: readonly SavedView[]): void {
  writeItem(ITEM, next.length === 0 ? null : JSON.stringify(next));
  views.set(next);
}

/** Keeps a view; one of the same name is replaced. */
export function saveView(view: SavedView): void {
  const others = views.get().filter(({ name }) => name !== view.name);
  keep([...others, view].toSorted((a, b) => a.name.localeCompare(b.name)));
}

export function forgetView(name: string): void {
  keep(views.get().filter((view) => view.name !== name));
}
