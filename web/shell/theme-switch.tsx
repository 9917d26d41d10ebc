import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactElement } from 'react';
import { useStore } from '../client/store.ts';
import { announce } from '../parts/announce.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { type Theme, theme, THEMES } from './theme.ts';

const LOOKS = {
  system: { icon: Monitor, label: 'Theme: as the system' },
  light: { icon: Sun, label: 'Theme: light' },
  dark: { icon: Moon, label: 'Theme: dark' },
} as const satisfies Record<Theme, unknown>;

/** Goes through the themes: as the system, light, dark. */
export function ThemeSwitch(): ReactElement {
  const chosen = useStore(theme);
  const { icon, label } = LOOKS[chosen];
  return <IconButton icon={icon} label={label} onClick={() => chooseTheme(after(chosen))} />;
}

export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  announce(LOOKS[chosen].label);
}

function after(chosen: Theme): Theme {
  return THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length] ?? 'system';
}
