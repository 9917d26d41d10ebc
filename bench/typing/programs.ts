/** A program to type into, how to start it, and how to get back what has arrived. */
export interface Program {
  readonly name: string;
  /** Bash commands; run in the home folder. */
  readonly start: string;
  /** Part of its window's title. */
  readonly title: string;
  readonly read: { readonly file: string } | 'clipboard';
}

const PAGE =
  '<!doctype html><meta charset=utf-8><title>typing</title><textarea autofocus style="width:95vw;height:90vh"></textarea>';

export const PROGRAMS: readonly Program[] = [
  {
    name: 'xterm',
    title: 'typing-terminal',
    start:
      "rm -f got; LC_ALL=C.UTF-8 xterm -u8 -T typing-terminal -e sh -c 'stty raw -echo; exec cat >> got' >/dev/null 2>&1 &",
    read: { file: 'got' },
  },
  {
    name: 'mousepad',
    title: 'Mousepad',
    start: 'mousepad --disable-server >/dev/null 2>&1 &',
    read: 'clipboard',
  },
  {
    name: 'chromium',
    title: 'typing - ',
    start: `echo '${PAGE}' > page.html; chromium --no-first-run --user-data-dir=/tmp/typing-profile "file://$HOME/page.html" >/dev/null 2>&1 &`,
    read: 'clipboard',
  },
];
