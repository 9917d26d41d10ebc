import type { PublicFile } from '../public-folder.ts';

/** A button of the panel. */
export interface PanelEntry {
  readonly short: string;
  readonly icon: keyof typeof ICONS;
  readonly command: string;
}

/** The program that shows the panel, on the desktop's PATH. */
export const PANEL_PROGRAM = 'steadyhand-panel';

/**
 * The icons are drawn here, because the installed icon themes differ, and a picture that always looks the same is found
 * again.
 */
const ICONS = {
  terminal:
    '<rect x="2" y="4" width="28" height="24" rx="3" fill="#2b2f36" stroke="#d0d4da"/>' +
    '<path d="M7 11l6 5-6 5M15 22h9" fill="none" stroke="#fff" stroke-width="2.6"/>',
  editor:
    '<path d="M6 2h15l6 6v22H6z" fill="#fff" stroke="#5b6472"/><path d="M10 12h12M10 17h12M10 22h8" stroke="#5b6472" stroke-width="2"/>' +
    '<path d="M17 26L28 13l3 3-11 13-4 1z" fill="#f2a33a" stroke="#8a5a14"/>',
  files:
    '<path d="M2 8a2 2 0 012-2h8l3 3h13a2 2 0 012 2v15a2 2 0 01-2 2H4a2 2 0 01-2-2z" fill="#f0b84c" stroke="#8a6414"/>' +
    '<path d="M2 13h28" stroke="#8a6414"/>',
  browser:
    '<circle cx="16" cy="16" r="13" fill="#3b82d6" stroke="#1c4f8c"/>' +
    '<path d="M3 16h26M16 3c8 8 8 18 0 26M16 3c-8 8-8 18 0 26M6 8.500c6 4 14 4 20 0M6 23.500c6-4 14-4 20 0" fill="none" stroke="#fff" stroke-width="1.600"/>',
} as const;

/**
 * The panel has a button for each program, then the open windows. It redraws when one of those changes and never by
 * itself.
 */
export function panelFiles(
  entries: readonly PanelEntry[],
  folder: string,
): Readonly<Record<string, PublicFile>> {
  return {
    [`bin/${PANEL_PROGRAM}`]: {
      // Its image cache stays out of the agent's home and out of the environment of what its buttons start.
      text: `#!/bin/sh\nXDG_CACHE_HOME="$XDG_RUNTIME_DIR" exec tint2 -c "\${0%/*}/../panel/tint2rc"\n`,
      executable: true,
    },
    'panel/tint2rc': { text: tint2rc(entries, `${folder}/panel`) },
    ...Object.fromEntries(
      entries.map(({ icon }) => [
        `panel/${icon}.svg`,
        {
          text: `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">${ICONS[icon]}</svg>\n`,
        },
      ]),
    ),
  };
}

function tint2rc(entries: readonly PanelEntry[], icons: string): string {
  const buttons = entries.map(
    ({ short, icon, command }) => `
button = new
button_icon = ${icons}/${icon}.svg
button_text = ${short}
button_lclick_command = XDG_CACHE_HOME= exec ${command}
button_font = DejaVu Sans 9
button_font_color = #ffffff 100
button_background_id = 2
button_padding = 6 2 4
button_max_icon_size = 20
`,
  );
  return `#---- backgrounds: 1 panel, 2 button and window, 3 the window in front
rounded = 0
border_width = 0
background_color = #2f343f 100

rounded = 3
border_width = 1
background_color = #3f4654 100
border_color = #59606e 100

rounded = 3
border_width = 1
background_color = #5294e2 100
border_color = #5294e2 100

panel_items = ${'P'.repeat(entries.length)}T
panel_size = 100% 30
panel_margin = 0 0
panel_padding = 3 2 4
panel_background_id = 1
panel_position = bottom center horizontal
panel_layer = normal
panel_monitor = all
panel_dock = 0
wm_menu = 0
autohide = 0
strut_policy = follow_size
panel_window_name = panel
font_shadow = 0
mouse_effects = 0
scale_relative_to_dpi = 0

taskbar_mode = single_desktop
taskbar_padding = 0 0 4
taskbar_name = 0
taskbar_hide_if_empty = 0
taskbar_distribute_size = 0
task_text = 1
task_icon = 1
task_centered = 0
task_maximum_size = 180 26
task_padding = 5 2 5
task_font = DejaVu Sans 9
task_font_color = #ffffff 100
task_background_id = 2
task_active_background_id = 3
task_iconified_background_id = 2
task_urgent_background_id = 2
urgent_nb_of_blink = 0
task_tooltip = 0
mouse_left = toggle_iconify
mouse_middle = none
mouse_right = none
mouse_scroll_up = none
mouse_scroll_down = none
startup_notifications = 0
${buttons.join('')}`;
}
