import { useEffect, useState } from 'react';

const STEP_MS = 500;

/** Now, twice a second anew while a run goes on and the page is looked at. */
export function useLiveEdge(live: boolean): number | undefined {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!live) return undefined;
    const timer = window.setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, STEP_MS);
    return () => window.clearInterval(timer);
  }, [live]);
  return live ? now : undefined;
}
