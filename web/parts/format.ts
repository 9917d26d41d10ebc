/** Figures as people read them, in the browser's language. */
const COUNT = new Intl.NumberFormat();
const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });

export function formatCount(value: number): string {
  return COUNT.format(value);
}

/** A count where there is little room: `12.3K`. */
export function formatShort(value: number): string {
  return SHORT.format(value);
}

/** An amount of money, with as many digits behind the point as a small one needs: `$1.25`, `$0.0042`. */
export function formatMoney(amount: number, currency: string): string {
  const small = amount > 0 && amount < 0.1;
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    ...(small ? { maximumSignificantDigits: 2 } : {}),
  }).format(amount);
}

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in bytes: `812 B`, `1.4 MB`, in steps of a thousand. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${SIZES[step]}`;
}

/** A duration in milliseconds by its two largest units: `42 ms`, `3.2 s`, `4m 12s`, `2h 5m`, `3d 4h`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return '∞';
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return hours === 0 ? `${days}d` : `${days}d ${hours}h`;
  if (hours > 0) return minutes === 0 ? `${hours}h` : `${hours}h ${minutes}m`;
  return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m ${seconds % 60}s`;
}

export function formatExact(date: Date): string {
  return EXACT.format(date);
}

/** The time of day, to the second. */
export function formatClock(date: Date): string {
  return CLOCK.format(date);
}

/** A moment as seen from another: `5 min ago`, `in 3 hr.`, and its date where that is more than a week away. */
export function formatRelative(date: Date, now: number): string {
  const seconds = (date.getTime() - now) / 1000;
  const size = Math.abs(seconds);
  if (size < 10) return 'now';
  if (size < 60) return AGO.format(Math.round(seconds), 'second');
  if (size < 3600) return AGO.format(Math.trunc(seconds / 60), 'minute');
  if (size < 86_400) return AGO.format(Math.trunc(seconds / 3600), 'hour');
  if (size < 7 * 86_400) return AGO.format(Math.trunc(seconds / 86_400), 'day');
  return (date.getFullYear() === new Date(now).getFullYear() ? DAY : YEAR).format(date);
}

/** A name such as `model_overloaded` or `tool.running` as words. */
export function formatName(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
