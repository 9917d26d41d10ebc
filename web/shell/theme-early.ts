/**
 * Runs before anything is painted, so that a page in a chosen theme does not flash in the other one. It imports nothing,
 * because the page waits for it.
 */
function paintEarly(): void {
  try {
    const chosen = localStorage.getItem('steadyhand-theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
  } catch {
    // A browser that keeps nothing shows the system's theme.
  }
}

paintEarly();
