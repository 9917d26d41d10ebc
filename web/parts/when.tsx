import type { ReactElement } from 'react';

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment: the time of day where the context shows which day it is, the date and time with `full`. */
export function When({ at, full = false }: { readonly at: string; readonly full?: boolean }): ReactElement {
  const date = new Date(at);
  return (
    <time dateTime={at} title={DAY.format(date)}>
      {(full ? DAY : TIME).format(date)}
    </time>
  );
}
