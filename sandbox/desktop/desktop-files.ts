import type { PublicFile } from '../public-folder.ts';
import { associations } from './file-associations.ts';
import { CHROMIUM, CHROMIUM_ENTRY } from './browser-files.ts';
import { OPENBOX_RC, openboxMenu } from './openbox-files.ts';
import { type PanelEntry, panelFiles } from './panel-files.ts';

/** Programs without which there is no screen. A window manager is optional. */
export const DESKTOP_PROGRAMS = ['Xvfb', 'xdotool'];

/** The entries of the desktop's menu and panel, each with the first of its programs that is installed. */
const OFFERED: readonly (Omit<PanelEntry, 'command'> & {
  readonly label: string;
  readonly programs: readonly string[];
})[] = [
  { label: 'Terminal', short: 'Terminal', icon: 'terminal', programs: ['xterm'] },
  {
    label: 'Text Editor',
    short: 'Editor',
    icon: 'editor',
    programs: ['mousepad', 'gedit', 'featherpad'],
  },
  { label: 'File Manager', short: 'Files', icon: 'files', programs: ['pcmanfm', 'thunar'] },
  {
    label: 'Web Browser',
    short: 'Browser',
    icon: 'browser',
    programs: ['chromium', 'firefox-esr', 'firefox'],
  },
];

/**
 * The desktop's configuration by path below `folder`, which everybody inside may read. This desktop is plain: nothing
 * moves by itself, so that the screen settles at once and looks the same each time (GTK fades a whole window on each
 * change of focus, for up to a second). Nothing needs a bus, a keyring or a first-run answer, and there is no clock.
 * `has` returns whether a program is installed; `folder` is a path as programs inside see it.
 */
export function desktopFiles(
  has: (program: string) => boolean,
  folder: string,
): Readonly<Record<string, PublicFile>> {
  const entries = OFFERED.flatMap(({ programs, ...entry }) => {
    const command = programs.find(has);
    return command === undefined ? [] : [{ ...entry, command }];
  });
  return {
    'xdg/openbox/rc.xml': { text: OPENBOX_RC },
    'xdg/openbox/menu.xml': { text: openboxMenu(entries) },
    'xdg/gtk-3.0/settings.ini': { text: GTK_SETTINGS },
    'xdg/gtk-4.0/settings.ini': { text: GTK_SETTINGS },
    'xdg/libfm/libfm.conf': { text: LIBFM },
    'xdg/mimeapps.list': { text: associations(has) },
    'gtk-2.0/gtkrc': { text: GTK2 },
    'app-defaults/XTerm': { text: XTERM },
    ...(has('tint2') ? panelFiles(entries, folder) : {}),
    ...(has('chromium')
      ? {
          'bin/chromium': { text: CHROMIUM, executable: true },
          'share/applications/chromium.desktop': { text: CHROMIUM_ENTRY },
        }
      : {}),
  };
}

/**
 * The environment that makes programs read the files in `folder` (its path as they see it). `path` is put before PATH.
 */
export function desktopEnvironment(folder: string): {
  readonly env: Readonly<Record<string, string>>;
  readonly path: string;
} {
  return {
    env: {
      XDG_CONFIG_DIRS: `${folder}/xdg:/etc/xdg`,
      XDG_DATA_DIRS: `${folder}/share:/usr/local/share:/usr/share`,
      GTK2_RC_FILES: `${folder}/gtk-2.0/gtkrc`,
      XAPPLRESDIR: `${folder}/app-defaults`,
      // Settings are kept in a file: the usual backend needs a session bus and complains at each start.
      GSETTINGS_BACKEND: 'keyfile',
      NO_AT_BRIDGE: '1',
      GTK_A11Y: 'none',
      GTK_USE_PORTAL: '0',
      LIBGL_ALWAYS_SOFTWARE: '1',
      // The X server has no GLX (see the guest's display service); EGL draws in software without the server.
      SDL_VIDEO_X11_FORCE_EGL: '1',
      QT_XCB_GL_INTEGRATION: 'xcb_egl',
      // When the cursor theme is missing, each program searches every folder for it.
      XCURSOR_THEME: 'default',
      XCURSOR_SIZE: '24',
    },
    path: `${folder}/bin`,
  };
}

const GTK_SETTINGS = `[Settings]
gtk-enable-animations=0
gtk-cursor-blink=0
gtk-overlay-scrolling=0
gtk-enable-event-sounds=0
gtk-recent-files-enabled=0
gtk-font-name=DejaVu Sans 10
`;

const GTK2 = `gtk-cursor-blink = 0
gtk-enable-animations = 0
gtk-font-name = "DejaVu Sans 10"
`;

const LIBFM = `[config]
single_click=0
quick_exec=1
use_trash=1
confirm_del=1
terminal=xterm -e %s

[ui]
show_thumbnail=1
`;

/**
 * This scalable font covers many scripts. The bitmap fonts that xterm uses by default are often not installed and lack
 * most of Unicode.
 */
const XTERM = `*faceName: DejaVu Sans Mono
*faceSize: 10
*utf8: 1
*locale: true
*scrollBar: true
*rightScrollBar: true
*saveLines: 4000
*selectToClipboard: true
*background: #ffffff
*foreground: #101010
*cursorBlink: false
*bellIsUrgent: false
`;
