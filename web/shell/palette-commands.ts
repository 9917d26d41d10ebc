import { useQueries, useQueryClient } from '@tanstack/react-query';
import { BookOpen, Keyboard, Monitor, Moon, Sun } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useStore } from '../client/store.ts';
import { type Command, pageCommands } from '../parts/commands.ts';
import { overlay } from './overlay.ts';
import { ROOMS } from './rooms.ts';
import { chooseTheme } from './theme-switch.tsx';

/** How many found things are shown at most. */
const MOST = 50;

const GENERAL: readonly Command[] = [
  {
    id: 'theme-system',
    name: 'Theme: as the system',
    group: 'Page',
    icon: Monitor,
    run: () => chooseTheme('system'),
  },
  { id: 'theme-light', name: 'Theme: light', group: 'Page', icon: Sun, run: () => chooseTheme('light') },
  { id: 'theme-dark', name: 'Theme: dark', group: 'Page', icon: Moon, run: () => chooseTheme('dark') },
  {
    id: 'keys',
    name: 'Keyboard shortcuts',
    group: 'Page',
    icon: Keyboard,
    keys: '?',
    run: () => overlay.set('keys'),
  },
  {
    id: 'api',
    name: 'API documentation',
    group: 'Page',
    icon: BookOpen,
    words: 'swagger openapi routes',
    run: () => window.location.assign('/docs'),
  },
];

function everywhere(): readonly Command[] {
  return ROOMS.flatMap(({ name, navigation, commands = [] }) => [
    ...(navigation === undefined
      ? []
      : [
          {
            id: `go-${name}`,
            name: navigation.label,
            group: 'Go to',
            icon: navigation.icon,
            keys: `g ${navigation.key}`,
            run: navigation.to,
          },
        ]),
    ...commands,
  ]);
}

/** The commands for a text: the page's own first, then those of all rooms, then what the rooms find on the server. */
export function useFoundCommands(text: string): {
  readonly found: readonly Command[];
  readonly searching: boolean;
} {
  const client = useQueryClient();
  const own = useStore(pageCommands);
  const wanted = useDeferredValue(text.trim());
  const searches = useQueries({
    queries: ROOMS.map(({ name, search }) => ({
      queryKey: ['palette', name, wanted],
      queryFn: ({ signal }: { signal: AbortSignal }) => search?.(wanted, client, signal) ?? [],
      enabled: search !== undefined && wanted.length > 1,
      retry: false,
    })),
  });
  const listed = [...own, ...everywhere(), ...GENERAL].filter((command) => matches(command, text));
  const found = wanted.length > 1 ? searches.flatMap(({ data }) => data ?? []) : [];
  return {
    found: [...listed, ...found].slice(0, MOST),
    searching: searches.some(({ isFetching }) => isFetching),
  };
}

/** Whether each word of the text begins a word of the command. */
function matches({ name, group, words = '' }: Command, text: string): boolean {
  const held = ` ${name} ${group} ${words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => held.includes(` ${word}`));
}
