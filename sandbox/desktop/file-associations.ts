/**
 * The programs that open each type, by the desktop entries that Debian's packages install. The first installed one is
 * used.
 */
const OPENERS: readonly {
  readonly types: readonly string[];
  readonly entries: readonly (readonly [program: string, entry: string])[];
}[] = [
  {
    types: [
      'text/plain',
      'text/markdown',
      'text/csv',
      'text/css',
      'text/x-csrc',
      'text/x-python',
      'text/x-log',
      'application/json',
      'application/javascript',
      'application/xml',
      'application/x-shellscript',
      'application/x-yaml',
      'application/x-zerosize',
    ],
    entries: [
      ['mousepad', 'org.xfce.mousepad.desktop'],
      ['gedit', 'org.gnome.gedit.desktop'],
      ['featherpad', 'featherpad.desktop'],
    ],
  },
  {
    types: [
      'text/html',
      'application/xhtml+xml',
      'application/pdf',
      'image/png',
      'image/jpeg',
      'image/gif',
      'image/webp',
      'image/svg+xml',
      'video/mp4',
      'video/webm',
      'x-scheme-handler/http',
      'x-scheme-handler/https',
      'x-scheme-handler/about',
    ],
    entries: [
      ['chromium', 'chromium.desktop'],
      ['firefox-esr', 'firefox-esr.desktop'],
      ['firefox', 'firefox.desktop'],
    ],
  },
  {
    types: ['inode/directory'],
    entries: [
      ['pcmanfm', 'pcmanfm.desktop'],
      ['thunar', 'thunar.desktop'],
    ],
  },
];

/** Writes `mimeapps.list` for the programs that are installed. */
export function associations(has: (program: string) => boolean): string {
  const lines = OPENERS.flatMap(({ types, entries }) => {
    const entry = entries.find(([program]) => has(program))?.[1];
    return entry === undefined ? [] : types.map((type) => `${type}=${entry}`);
  });
  return ['[Default Applications]', ...lines, ''].join('\n');
}
