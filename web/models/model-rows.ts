import { type Price, type Provider, routeFor } from './routing.ts';

/** A line of a provider's table. */
export interface ModelRow {
  /** A name that clients use, or the beginning of names with a star behind it. */
  readonly name: string;
  /** What it is called, or that it stands for more than one. */
  readonly note: string | undefined;
  readonly price: Price | undefined;
  readonly use: Provider['used'][number] | undefined;
}

/** A provider's routes, below each pattern the names that its upstream lists and that clients used. */
export function modelRows(given: {
  readonly provider: Provider;
  readonly providers: readonly Provider[];
  readonly listed: readonly { readonly id: string; readonly display_name: string }[];
}): readonly ModelRow[] {
  const { provider, providers, listed } = given;
  const used = new Map(provider.used.map((use) => [use.model, use]));
  return provider.models.flatMap(({ position, model, pattern, aliases, display_name: title, price }) => {
    const own = { price: price ?? undefined };
    const names = [...new Set([...listed.map(({ id }) => id), ...used.keys()])].filter(
      (name) => name !== model && routeFor(providers, name)?.route.position === position,
    );
    return [
      { ...own, name: model, note: noteOf(pattern, title, aliases), use: used.get(model) },
      ...names.map((name) => ({
        ...own,
        name,
        note: titleOf(listed.find(({ id }) => id === name)?.display_name, name),
        use: used.get(name),
      })),
    ];
  });
}

function noteOf(pattern: boolean, title: string | null, aliases: readonly string[]): string | undefined {
  const notes = [
    ...(pattern ? ['every name that begins so'] : []),
    ...(title === null ? [] : [title]),
    ...(aliases.length === 0 ? [] : [`also ${aliases.join(', ')}`]),
  ];
  return notes.length === 0 ? undefined : notes.join(', ');
}

function titleOf(title: string | undefined, name: string): string | undefined {
  return title === name ? undefined : title;
}
