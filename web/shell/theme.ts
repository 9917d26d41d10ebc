import { savedChoice } from '../client/saved.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Where the choice is kept. `theme-early.ts` reads it as well. */
const ITEM = 'steadyhand-theme';

export const theme = savedChoice<Theme>(ITEM, THEMES, 'system');

/** Paints the page as chosen; the style sheet leaves `system` to the browser. */
function paint(): void {
  const { dataset } = document.documentElement;
  const chosen = theme.get();
  if (chosen === 'system') delete dataset['theme'];
  else dataset['theme'] = chosen;
}

theme.subscribe(paint);
paint();
