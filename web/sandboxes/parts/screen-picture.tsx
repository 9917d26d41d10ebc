import { useQuery } from '@tanstack/react-query';
import { MonitorOff } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { ask } from '../../client/api.ts';

/** How old a picture may become while it is looked at, in milliseconds. */
const EVERY_MS = 4000;

interface ScreenPictureProps {
  readonly id: string;
  /** Only a running sandbox is asked for its picture: any other would be started by that. */
  readonly running: boolean;
}

/** A sandbox's screen as it was a few seconds ago. One that is out of view is not asked for. */
export function ScreenPicture({ id, running }: ScreenPictureProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const [inView, setInView] = useState(false);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (place.current === null) return undefined;
    const observer = new IntersectionObserver((entries) =>
      setInView(entries.some((entry) => entry.isIntersecting)),
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const { data, isError } = useQuery({
    queryKey: ['GET /v1/sandboxes/{id}/screenshot', { id }, null],
    queryFn: async ({ signal }) =>
      (await ask('GET /v1/sandboxes/{id}/screenshot', { params: { id }, signal })).blob(),
    enabled: running && inView,
    refetchInterval: EVERY_MS,
  });
  useEffect(() => {
    if (data === undefined) return undefined;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return (
    <div ref={place} className="screen-picture">
      {running && url !== undefined ? (
        <img src={url} alt={`The screen of ${id}`} draggable={false} />
      ) : (
        <span className="no-picture">
          <MonitorOff size={22} aria-hidden />
          {running ? (isError ? 'No picture' : 'The picture is coming') : 'Off'}
        </span>
      )}
    </div>
  );
}
