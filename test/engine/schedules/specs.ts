import type { temporal } from '@temporalio/proto';

/** A spec as JSON of the protobuf message, and the range in which the real server was asked for its times. */
export interface SpecCase {
  readonly name: string;
  readonly spec: Record<string, unknown>;
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
}

type Spec = temporal.api.schedule.v1.IScheduleSpec;

const YEAR = { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' };
const SPRING = { from: '2024-03-08T00:00:00Z', to: '2024-04-02T00:00:00Z' };
const AUTUMN = { from: '2024-10-25T00:00:00Z', to: '2024-11-05T00:00:00Z' };
const HOURS = { from: '2024-01-01T00:00:00Z', to: '2024-01-02T00:00:00Z' };
const DECADE = { from: '2023-06-01T00:00:00Z', to: '2041-01-01T00:00:00Z' };

const cron = (...cronString: string[]): Record<string, unknown> => ({ cronString });
const calendar = (...list: Record<string, string>[]): Record<string, unknown> => ({ calendar: list });
const every = (interval: string, phase?: string): Record<string, unknown> => ({
  interval: [{ interval, ...(phase && { phase }) }],
});
const all = { dayOfMonth: [{ start: 1, end: 31 }], month: [{ start: 1, end: 12 }] };
const allDays = { ...all, dayOfWeek: [{ start: 0, end: 6 }] };

const zones = {
  newYork: 'America/New_York',
  berlin: 'Europe/Berlin',
  london: 'Europe/London',
  lordHowe: 'Australia/Lord_Howe',
  sydney: 'Australia/Sydney',
  cairo: 'Africa/Cairo',
  havana: 'America/Havana',
  kolkata: 'Asia/Kolkata',
  casablanca: 'Africa/Casablanca',
  apia: 'Pacific/Apia',
  santiago: 'America/Santiago',
  beirut: 'Asia/Beirut',
  saoPaulo: 'America/Sao_Paulo',
  nepal: 'Asia/Kathmandu',
  chatham: 'Pacific/Chatham',
  troll: 'Antarctica/Troll',
};
const zoned = (timezoneName: string, spec: Record<string, unknown>): Record<string, unknown> => ({
  ...spec,
  timezoneName,
});

/** Specs of which the server's times are compared. */
export const specCases: readonly SpecCase[] = [
  { name: 'empty', spec: {}, ...YEAR },
  { name: 'noon on weekdays', spec: cron('0 12 * * MON-FRI'), ...SPRING },
  { name: 'every quarter of an hour', spec: cron('*/15 * * * *'), ...HOURS },
  { name: 'steps from a value', spec: cron('7/20 3/5 * * *'), ...HOURS },
  { name: 'lists and ranges', spec: cron('0,30 8-10,14 1-5/2,20 * *'), ...SPRING },
  { name: 'six fields with the year', spec: cron('0 0 1 * * 2024,2026'), ...DECADE },
  { name: 'seven fields with seconds', spec: cron('30 59 23 31 12 * *'), ...DECADE },
  { name: 'leap day', spec: cron('0 0 29 2 *'), ...DECADE },
  { name: 'leap day on a Sunday', spec: cron('0 0 29 2 0'), ...DECADE },
  { name: 'day 31', spec: cron('0 9 31 * *'), ...YEAR },
  { name: 'a day that no month has', spec: cron('0 9 31 2 *'), ...YEAR },
  { name: 'day of month and of week', spec: cron('0 9 13 * FRI'), ...DECADE },
  { name: 'Sunday as seven', spec: cron('0 9 * * 7'), ...SPRING },
  { name: 'days five to seven', spec: cron('0 9 * * 5-7'), ...SPRING },
  { name: 'every second day to seven', spec: cron('0 9 * * 1-7/2'), ...SPRING },
  { name: 'every third day to seven', spec: cron('0 9 * * 3-7/3'), ...SPRING },
  { name: 'names of months', spec: cron('0 0 1 jan,Jul,decem *'), ...YEAR },
  { name: '@yearly', spec: cron('@yearly'), ...DECADE },
  { name: '@annually', spec: cron('@annually'), ...DECADE },
  { name: '@monthly', spec: cron('@monthly'), ...YEAR },
  { name: '@weekly', spec: cron('@weekly'), ...YEAR },
  { name: '@daily', spec: cron('@daily'), ...SPRING },
  { name: '@midnight', spec: cron('@midnight'), ...SPRING },
  { name: '@hourly', spec: cron('@hourly'), ...HOURS },
  { name: '@every', spec: cron('@every 90m'), ...HOURS },
  { name: '@every with a phase', spec: cron('@every 6h/45m'), ...HOURS },
  { name: '@every in days', spec: cron('@every 2d12h/1h30m'), ...SPRING },
  { name: 'a comment', spec: cron('0 12 * * * # noon  '), ...SPRING },
  { name: 'several cron strings', spec: cron('0 12 * * *', '30 12 * * 1', '@every 24h'), ...SPRING },
  { name: 'a zone in the cron string', spec: cron('CRON_TZ=America/New_York 30 2 * * *'), ...SPRING },
  { name: 'a zone by TZ', spec: cron('TZ=Europe/Berlin 30 2 * * *'), ...SPRING },
  {
    name: 'hours in New York, spring',
    spec: zoned(zones.newYork, cron('0 * * * *')),
    from: '2024-03-09T22:00:00Z',
    to: '2024-03-11T06:00:00Z',
  },
  {
    name: 'hours in New York, autumn',
    spec: zoned(zones.newYork, cron('0 * * * *')),
    from: '2024-11-02T22:00:00Z',
    to: '2024-11-04T06:00:00Z',
  },
  { name: 'half past one in New York', spec: zoned(zones.newYork, cron('30 1 * * *')), ...AUTUMN },
  { name: 'half past two in New York', spec: zoned(zones.newYork, cron('30 2 * * *')), ...SPRING },
  {
    name: 'from within the second hour',
    spec: zoned(zones.newYork, cron('*/20 1 * * *')),
    from: '2024-11-03T06:05:00Z',
    to: '2024-11-05T00:00:00Z',
  },
  { name: 'minutes one and two in New York', spec: zoned(zones.newYork, cron('*/20 1,2 * * *')), ...AUTUMN },
  { name: 'half past two in Berlin, autumn', spec: zoned(zones.berlin, cron('30 2 * * *')), ...AUTUMN },
  {
    name: 'quarters in Berlin, spring',
    spec: zoned(zones.berlin, cron('*/15 1-3 * * *')),
    from: '2024-03-30T00:00:00Z',
    to: '2024-04-01T00:00:00Z',
  },
  { name: 'one in London', spec: zoned(zones.london, cron('0,30 0-2 * * *')), ...AUTUMN },
  {
    name: 'half hours at Lord Howe, autumn',
    spec: zoned(zones.lordHowe, cron('*/15 1,2 * * *')),
    from: '2024-04-05T00:00:00Z',
    to: '2024-04-08T00:00:00Z',
  },
  {
    name: 'half hours at Lord Howe, spring',
    spec: zoned(zones.lordHowe, cron('*/15 1,2 * * *')),
    from: '2024-10-04T00:00:00Z',
    to: '2024-10-07T00:00:00Z',
  },
  {
    name: 'Sydney',
    spec: zoned(zones.sydney, cron('30 2 * * *')),
    from: '2024-04-04T00:00:00Z',
    to: '2024-04-09T00:00:00Z',
  },
  {
    name: 'midnight in Cairo that does not exist',
    spec: zoned(zones.cairo, cron('0,30 0 * * *')),
    from: '2024-04-23T00:00:00Z',
    to: '2024-04-29T00:00:00Z',
  },
  {
    name: 'Fridays in Cairo',
    spec: zoned(zones.cairo, cron('0 * * * FRI')),
    from: '2024-04-25T00:00:00Z',
    to: '2024-04-28T00:00:00Z',
  },
  {
    name: 'Sundays in Havana',
    spec: zoned(zones.havana, cron('0 */3 * * SUN')),
    from: '2024-03-08T00:00:00Z',
    to: '2024-03-13T00:00:00Z',
  },
  {
    name: 'midnight twice in Havana',
    spec: zoned(zones.havana, cron('15,45 0 * * *')),
    from: '2024-11-01T00:00:00Z',
    to: '2024-11-06T00:00:00Z',
  },
  {
    name: 'midnight in Santiago',
    spec: zoned(zones.santiago, cron('0 0,23 * * *')),
    from: '2024-04-05T00:00:00Z',
    to: '2024-04-09T00:00:00Z',
  },
  {
    name: 'Santiago in spring',
    spec: zoned(zones.santiago, cron('0 0,1 * * *')),
    from: '2024-09-06T00:00:00Z',
    to: '2024-09-10T00:00:00Z',
  },
  {
    name: 'Beirut',
    spec: zoned(zones.beirut, cron('30 0,23 * * *')),
    from: '2024-03-29T00:00:00Z',
    to: '2024-04-02T00:00:00Z',
  },
  {
    name: 'Sao Paulo when it had summer time',
    spec: zoned(zones.saoPaulo, cron('0 0 * * *')),
    from: '2018-11-01T00:00:00Z',
    to: '2018-11-08T00:00:00Z',
  },
  { name: 'Casablanca around Ramadan', spec: zoned(zones.casablanca, cron('30 2 * * *')), ...SPRING },
  {
    name: 'the day that Apia left out',
    spec: zoned(zones.apia, cron('0 12 * * *')),
    from: '2011-12-27T00:00:00Z',
    to: '2012-01-03T00:00:00Z',
  },
  { name: 'half an hour off UTC', spec: zoned(zones.kolkata, cron('0 9 * * 1')), ...YEAR },
  { name: 'three quarters off UTC', spec: zoned(zones.nepal, cron('0 0 1 * *')), ...YEAR },
  {
    name: 'Chatham',
    spec: zoned(zones.chatham, cron('*/15 2,3 * * *')),
    from: '2024-04-06T00:00:00Z',
    to: '2024-04-08T00:00:00Z',
  },
  {
    name: 'two hours of summer time',
    spec: zoned(zones.troll, cron('0,30 0-4 * * *')),
    from: '2024-10-26T00:00:00Z',
    to: '2024-10-29T00:00:00Z',
  },
  { name: 'a zone with a sign', spec: zoned('Etc/GMT+5', cron('0 0 * * *')), ...SPRING },
  { name: 'an old name of a zone', spec: zoned('US/Pacific', cron('0 0 * * *')), ...SPRING },
  { name: 'calendar', spec: calendar({ hour: '9', minute: '30', dayOfWeek: 'tue-THU' }), ...SPRING },
  { name: 'calendar with defaults', spec: calendar({}), ...SPRING },
  { name: 'two calendars', spec: calendar({ hour: '*/6' }, { hour: '6', minute: '0,30' }), ...HOURS },
  {
    name: 'structured calendar',
    spec: {
      structuredCalendar: [
        {
          ...allDays,
          second: [{ start: 15, end: 45, step: 15 }],
          minute: [{ start: 59 }],
          hour: [{ start: 23 }],
        },
      ],
    },
    ...SPRING,
  },
  {
    name: 'structured calendar without days',
    spec: { structuredCalendar: [{ hour: [{ start: 23 }], minute: [{ start: 1 }], second: [{ start: 1 }] }] },
    ...SPRING,
  },
  { name: 'interval', spec: every('3600s'), ...HOURS },
  { name: 'interval with a phase', spec: every('86400s', '3723s'), ...SPRING },
  { name: 'interval with a fraction', spec: every('1000.5s'), ...HOURS },
  {
    name: 'intervals',
    spec: { interval: [{ interval: '7200s' }, { interval: '10800s', phase: '600s' }] },
    ...HOURS,
  },
  {
    name: 'interval in the first seconds',
    spec: every('10s', '5s'),
    from: '1969-12-31T23:59:00Z',
    to: '1970-01-01T00:01:00Z',
  },
  {
    name: 'excluded weekends',
    spec: {
      ...cron('0 12 * * *'),
      excludeCalendar: [{ second: '*', minute: '*', hour: '*', dayOfWeek: 'sat,sun' }],
    },
    ...SPRING,
  },
  {
    name: 'excluded hours',
    spec: {
      ...every('1800s'),
      excludeStructuredCalendar: [
        { ...allDays, second: [{ end: 59 }], minute: [{ end: 59 }], hour: [{ start: 2, end: 20 }] },
      ],
    },
    ...HOURS,
  },
  {
    name: 'excluded in a zone',
    spec: zoned(zones.newYork, {
      ...every('3600s'),
      excludeCalendar: [{ second: '*', minute: '*', hour: '0-21' }],
    }),
    ...SPRING,
  },
  {
    name: 'start and end',
    spec: { ...every('3600s'), startTime: '2024-01-01T03:00:00Z', endTime: '2024-01-01T06:00:00Z' },
    ...HOURS,
  },
  {
    name: 'start within a second',
    spec: { ...every('1s'), startTime: '2024-01-01T03:00:00.500Z', endTime: '2024-01-01T03:00:04.500Z' },
    ...HOURS,
  },
  {
    name: 'end before the start',
    spec: { ...every('3600s'), startTime: '2024-01-01T06:00:00Z', endTime: '2024-01-01T03:00:00Z' },
    ...HOURS,
  },
  { name: 'jitter', spec: { ...every('3600s'), jitter: '1800s' }, ...HOURS },
  { name: 'jitter of ms', spec: { ...cron('*/10 * * * *'), jitter: '0.750s' }, ...HOURS },
  { name: 'jitter beyond the next time', spec: { ...every('600s'), jitter: '86400s' }, ...HOURS },
  { name: 'jitter of 60 days', spec: { ...cron('@yearly'), jitter: '5184000s' }, ...DECADE },
  {
    name: 'jitter of the last time',
    spec: { ...cron('0 0 0 1 1 * 2024'), jitter: '3600s' },
    from: '2023-01-01T00:00:00Z',
    to: '2025-01-01T00:00:00Z',
  },
  {
    name: 'jitter with exclusions',
    spec: {
      ...every('600s'),
      jitter: '1200s',
      excludeCalendar: [{ second: '*', minute: '30-59', hour: '*' }],
    },
    ...HOURS,
  },
  {
    name: 'until the last year',
    spec: cron('0 0 1 1 * 2098-2100'),
    from: '2097-01-01T00:00:00Z',
    to: '2200-01-01T00:00:00Z',
  },
  {
    name: 'interval until the last year',
    spec: every('7776000s'),
    from: '2100-01-01T00:00:00Z',
    to: '2200-01-01T00:00:00Z',
  },
  { name: 'more times than are listed', spec: every('60s'), ...HOURS },
];

const RANGE = HOURS;
const wrong = (name: string, spec: Record<string, unknown>): SpecCase => ({ name, spec, ...RANGE });

/** Specs that the server refuses. */
export const wrongSpecs: readonly SpecCase[] = [
  wrong('too few fields', cron('* * * *')),
  wrong('too many fields', cron('* * * * * * * *')),
  wrong('empty cron string', cron('')),
  wrong('unknown word', cron('@often')),
  wrong('zone without fields', cron('CRON_TZ=Europe/Berlin')),
  wrong('zones that disagree', cron('CRON_TZ=Europe/Berlin 0 * * * *', '0 * * * *')),
  wrong('zones of string and spec', zoned('Europe/London', cron('CRON_TZ=Europe/Berlin 0 * * * *'))),
  wrong('unknown zone', zoned('Mars/Olympus', cron('0 * * * *'))),
  wrong('zone in lower case', zoned('europe/berlin', cron('0 * * * *'))),
  wrong('an offset as zone', zoned('+01:00', cron('0 * * * *'))),
  wrong('minute out of range', cron('60 * * * *')),
  wrong('several fields out of range', cron('60 24 0 13 8')),
  wrong('range backwards', cron('30-10 * * * *')),
  wrong('range from beyond', cron('70-80 * * * *')),
  wrong('two dashes', cron('1-2-3 * * * *')),
  wrong('two slashes', cron('1/2/3 * * * *')),
  wrong('no step', cron('5/ * * * *')),
  wrong('step of nothing', cron('*/0 * * * *')),
  wrong('step that is no number', cron('*/x * * * *')),
  wrong('unknown month', cron('0 0 1 foo *')),
  wrong('year too early', cron('0 0 1 1 * 1999')),
  wrong('every without interval', cron('@every')),
  wrong('every of nonsense', cron('@every soon')),
  wrong('every without unit', cron('@every 10')),
  wrong('every with unknown unit', cron('@every 10y')),
  wrong('every too small', cron('@every 500ms')),
  wrong('every with a phase too large', cron('@every 1h/1h')),
  wrong('interval too small', every('0.5s')),
  wrong('no interval', { interval: [{}] }),
  wrong('negative phase', every('10s', '-1s')),
  wrong('phase too large', every('10s', '10s')),
  wrong('structured hour', { structuredCalendar: [{ ...allDays, hour: [{ start: 24 }] }] }),
  wrong('structured end', { structuredCalendar: [{ ...allDays, minute: [{ start: 10, end: 5 }] }] }),
  wrong('structured step', { structuredCalendar: [{ ...allDays, minute: [{ start: 1, step: -1 }] }] }),
  wrong('structured days', {
    structuredCalendar: [{ dayOfMonth: [{}], month: [{}], dayOfWeek: [{ start: 7 }] }],
  }),
  wrong('long comment', { structuredCalendar: [{ ...allDays, comment: 'x'.repeat(201) }] }),
  wrong('calendar of nonsense', calendar({ hour: 'noon', dayOfWeek: 'someday' })),
  wrong('excluded nonsense', { excludeCalendar: [{ month: 'never' }] }),
];

const time = (text: string): { seconds: unknown; nanos: number } => {
  const ms = Date.parse(text);
  return { seconds: Math.floor(ms / 1000), nanos: (((ms % 1000) + 1000) % 1000) * 1e6 };
};
const span = (text: string): { seconds: unknown; nanos: number } => {
  const ms = Math.round(Number(text.slice(0, -1)) * 1000);
  return { seconds: Math.trunc(ms / 1000), nanos: (ms % 1000) * 1e6 };
};

/** Makes the protobuf message of a case. */
export function toSpec(spec: SpecCase['spec']): Spec {
  const convert = (key: string, value: unknown): unknown => {
    if (typeof value === 'string' && ['interval', 'phase', 'jitter'].includes(key)) return span(value);
    if (typeof value === 'string' && ['startTime', 'endTime'].includes(key)) return time(value);
    if (Array.isArray(value))
      return value.map((item: unknown) => (typeof item === 'object' ? convert('', item) : item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, convert(k, v)]));
  };
  return convert('', spec) as Spec;
}
export const toTimestamp = time;
