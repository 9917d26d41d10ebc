/**
 * Starts Chromium as an agent needs it. Its profile is in its usual place in the agent's home. Pages are kept from the
 * agent's files by Chromium's own sandbox where the machine allows it, else by the sandbox around everything. Without a
 * proxy there is no network, and Chromium says so at once instead of searching for one.
 */
export const CHROMIUM = `#!/bin/sh
# No questions at the first start, no keyring, no calls home, no drawing on a graphics card that is not there.
proxy=\${https_proxy:-\${HTTPS_PROXY:-}}
test $# -gt 0 || set -- about:blank
# What its own sandbox takes: namespaces, and in them a root of its own, which filters of containers may refuse alone.
unshare --user --map-root-user --pid --net --fork /usr/sbin/chroot / true 2>/dev/null || set -- --no-sandbox --test-type "$@"
test -z "$proxy" || set -- --proxy-server="$proxy" "$@"
exec /usr/bin/chromium \\
  --no-first-run --no-default-browser-check --password-store=basic --disable-gpu --disable-sync \\
  --disable-background-networking --disable-component-update --disable-smooth-scrolling --disable-breakpad \\
  --disable-search-engine-choice-screen --disable-dev-shm-usage --start-maximized \\
  --disable-features=Translate,MediaRouter,OptimizationHints --hide-crash-restore-bubble \\
  --log-level=3 "$@" 2>/dev/null
`;

/** This replaces the system's entry, which names the program by its full path and so bypasses the script above. */
export const CHROMIUM_ENTRY = `[Desktop Entry]
Type=Application
Name=Chromium Web Browser
Exec=chromium %U
Icon=chromium
Terminal=false
Categories=Network;WebBrowser;
MimeType=text/html;application/xhtml+xml;x-scheme-handler/http;x-scheme-handler/https;application/pdf;
`;
