/**
 * What the Grafana dashboards of deploy/grafana show. `node scripts/dashboards.mjs` writes them; a test compares them with this,
 * and their metrics with those that the product has.
 */

/**
 * One panel: a title, its unit in Grafana's words, and its queries with their legends.
 * @typedef {readonly [title: string, unit: string, ...queries: (readonly [expression: string, legend: string])[]]} Panel
 */

const RATE = '[$__rate_interval]';

/**
 * The 50th and 95th percentile of a histogram.
 * @type {(metric: string, label?: string) => (readonly [string, string])[]}
 */
const percentiles = (metric, label) =>
  [0.5, 0.95].map((share) => {
    const by = label === undefined ? 'le' : `le, ${label}`;
    const legend = label === undefined ? `p${share * 100}` : `{{${label}}} p${share * 100}`;
    return [`histogram_quantile(${share}, sum by (${by}) (rate(${metric}_bucket${RATE})))`, legend];
  });

/**
 * What a counter counts in a second, by a label.
 * @type {(metric: string, label: string, only?: string) => readonly [string, string]}
 */
const rate = (metric, label, only = '') => [
  `sum by (${label}) (rate(${metric}${only}${RATE}))`,
  label
    .split(', ')
    .map((name) => `{{${name}}}`)
    .join(' '),
];

/** @type {Readonly<Record<string, { readonly title: string, readonly panels: readonly Panel[] }>>} */
export const DASHBOARDS = {
  sessions: {
    title: 'Sessions',
    panels: [
      ['Sessions by status', 'short', ['max by (status) (steadyhand_sessions)', '{{status}}']],
      ['Events appended', 'ops', rate('steadyhand_event_log_events_total', 'type')],
      [
        'Errors told to sessions',
        'ops',
        rate('steadyhand_event_log_events_total', 'type', '{type="session.error"}'),
      ],
      ['Events not delivered yet', 'short', ['max(steadyhand_outbox_events)', 'events']],
      ['Age of the oldest of them', 's', ['max(steadyhand_outbox_oldest_seconds)', 'age']],
      ['Turns ended', 'ops', rate('steadyhand_step_seconds_count', 'outcome', '{step=~"endTurn|failTurn"}')],
    ],
  },
  steps: {
    title: 'Steps and tools',
    panels: [
      ['Steps', 'ops', rate('steadyhand_step_seconds_count', 'step')],
      ['Attempts that failed', 'ops', rate('steadyhand_step_seconds_count', 'step', '{outcome="failed"}')],
      ['Time of a step', 's', ...percentiles('steadyhand_step_seconds', 'step')],
      ['From scheduled to begun', 's', ...percentiles('steadyhand_step_schedule_to_start_seconds')],
      ['Steps under way', 'short', ['sum by (step) (steadyhand_steps_running)', '{{step}}']],
      ['Tool uses', 'ops', rate('steadyhand_tool_uses_total', 'tool, outcome')],
      [
        'Share of tool uses that failed',
        'percentunit',
        [
          `sum by (tool) (rate(steadyhand_tool_uses_total{outcome=~"error|unknown"}${RATE})) / sum by (tool) (rate(steadyhand_tool_uses_total${RATE}))`,
          '{{tool}}',
        ],
      ],
      ['Time of a tool use', 's', ...percentiles('steadyhand_tool_use_seconds', 'tool')],
    ],
  },
  models: {
    title: 'Language models',
    panels: [
      ['Requests', 'ops', rate('steadyhand_model_requests_total', 'model, outcome')],
      ['Time of a reply', 's', ...percentiles('steadyhand_model_request_seconds', 'model')],
      ['Time to the first piece', 's', ...percentiles('steadyhand_model_first_piece_seconds', 'model')],
      ['Tokens in a second', 'short', rate('steadyhand_model_tokens_total', 'model, kind')],
      [
        'Share of the input that came from the cache',
        'percentunit',
        [
          `sum by (model) (rate(steadyhand_model_tokens_total{kind="cache_read"}${RATE})) / sum by (model) (rate(steadyhand_model_tokens_total{kind=~"input|cache_read|cache_write"}${RATE}))`,
          '{{model}}',
        ],
      ],
      ['Waits for providers', 'ops', rate('steadyhand_model_waits_total', 'reason')],
      ['Time spent in them', 's', rate('steadyhand_model_wait_seconds_total', 'reason')],
    ],
  },
  pool: {
    title: 'Sandbox pool',
    panels: [
      [
        'Places',
        'short',
        ['max by (state) (steadyhand_sandbox_pool{state=~"places|used|free"})', '{{state}}'],
      ],
      ['Sandboxes lost with their machines', 'short', ['max(steadyhand_sandbox_pool{state="lost"})', 'lost']],
      ['Waiting for a place', 'short', ['max(steadyhand_sandbox_pool{state="waiting"})', 'waiting']],
      [
        'Pool machines',
        'short',
        ['max by (state) (steadyhand_sandbox_pool{state=~"members|draining|away"})', '{{state}}'],
      ],
    ],
  },
  store: {
    title: 'Store and outbox',
    panels: [
      ['Operations', 'ops', rate('steadyhand_store_seconds_count', 'operation')],
      [
        'Operations that failed',
        'ops',
        rate('steadyhand_store_seconds_count', 'operation', '{outcome="failed"}'),
      ],
      ['Time of an operation', 's', ...percentiles('steadyhand_store_seconds', 'operation')],
      ['Events not delivered yet', 'short', ['max(steadyhand_outbox_events)', 'events']],
      ['Age of the oldest of them', 's', ['max(steadyhand_outbox_oldest_seconds)', 'age']],
      ['Writable', 'short', ['min by (instance) (steadyhand_store_writable)', '{{instance}}']],
      ['Damaged sessions', 'short', ['max(steadyhand_store_broken_sessions)', 'sessions']],
    ],
  },
  http: {
    title: 'HTTP',
    panels: [
      ['Requests by status', 'reqps', rate('steadyhand_http_requests_total', 'status')],
      ['Requests by route', 'reqps', rate('steadyhand_http_requests_total', 'route')],
      ['Time of a request', 's', ...percentiles('steadyhand_http_request_seconds', 'route')],
      ['Errors of the server', 'reqps', rate('steadyhand_http_requests_total', 'route', '{status=~"5.."}')],
      ['Event loop lag, p99', 's', ['max by (instance) (nodejs_eventloop_lag_p99_seconds)', '{{instance}}']],
      ['Memory', 'bytes', ['process_resident_memory_bytes', '{{instance}}']],
      ['Image models: requests', 'reqps', rate('steadyhand_inference_requests_total', 'model, outcome')],
      ['Image models: time', 's', ...percentiles('steadyhand_inference_stage_seconds', 'stage')],
    ],
  },
  worker: {
    title: 'Temporal worker',
    panels: [
      [
        'Slots in use',
        'short',
        ['sum by (queue, kind) (steadyhand_worker_slots_used)', '{{queue}} {{kind}}'],
      ],
      [
        'Share of the slots in use',
        'percentunit',
        [
          'sum by (queue, kind) (steadyhand_worker_slots_used) / sum by (queue, kind) (steadyhand_worker_slots)',
          '{{queue}} {{kind}}',
        ],
      ],
      ['From scheduled to begun', 's', ...percentiles('steadyhand_step_schedule_to_start_seconds', 'step')],
      ['Ready', 'short', ['min by (instance) (steadyhand_ready)', '{{instance}}']],
      ['Parts that answer', 'short', ['min by (part) (steadyhand_part_up)', '{{part}}']],
      ['Processor time', 'percentunit', [`rate(process_cpu_seconds_total${RATE})`, '{{instance}}']],
    ],
  },
};

/** The number of panels in a row, and their size in Grafana's grid of 24 columns. */
const ROW = 2;
const WIDTH = 24 / ROW;
const HEIGHT = 8;

/** @type {(name: string) => object} */
export function dashboard(name) {
  const { title, panels } = DASHBOARDS[name] ?? { title: name, panels: [] };
  return {
    uid: `steadyhand-${name}`,
    title: `Steadyhand: ${title}`,
    tags: ['steadyhand'],
    timezone: 'browser',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [{ name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map(([panel, unit, ...queries], index) => ({
      id: index + 1,
      type: 'timeseries',
      title: panel,
      datasource: { type: 'prometheus', uid: '${source}' },
      gridPos: { x: (index % ROW) * WIDTH, y: Math.floor(index / ROW) * HEIGHT, w: WIDTH, h: HEIGHT },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: queries.map(([expr, legendFormat], query) => ({
        refId: 'ABCDEFGH'[query],
        expr,
        legendFormat,
      })),
    })),
  };
}
