/** One command line, without the address. */
export interface Line {
  readonly args: readonly string[];
  /** What has to be printed before the next command; it is repeated until then, and only its last output counts. */
  readonly until?: RegExp;
  /** Whether what it prints says something about the moment or the machine, so that only its exit code is compared. */
  readonly moment?: boolean;
  /** Whether it needs what the engine leaves out, so that it has only to end by itself and not to panic. */
  readonly leftOut?: boolean;
}

const line = (text: string, more: Omit<Line, 'args'> = {}): Line => ({ args: split(text), ...more });

/** Splits at spaces, but not within single quotes. */
function split(text: string): readonly string[] {
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** The same command with both forms of output. */
const both = (text: string, more: Omit<Line, 'args'> = {}): readonly Line[] => [
  line(text, more),
  line(`${text} -o json`, more),
];

const start = (id: string, type: string, more = ''): Line =>
  line(`workflow start --type ${type} --task-queue cli --workflow-id ${id} ${more} -o json`);

const listed = (query: string, count: number): Line =>
  line(`workflow count --query '${query}'`, { until: new RegExp(`Total: ${count}$`) });

const workflows: readonly Line[] = [
  start('one', 'waits', '--input 5'),
  line('workflow start --type waits --task-queue cli --workflow-id one'),
  line('workflow start --type waits --task-queue cli --workflow-id two --memo note=1 --static-summary hello'),
  line('workflow start --type waits --task-queue cli --workflow-id two --id-conflict-policy UseExisting'),
  line('workflow start --type waits --task-queue cli --workflow-id two --id-conflict-policy Nonsense'),
  line('workflow start --type waits --task-queue cli --workflow-id two --input not-json'),
  line('workflow start --type waits'),
  ...both(`workflow execute --type quick --task-queue cli --workflow-id quick --input '{"a":1}'`),
  line('workflow execute --type fails --task-queue cli --workflow-id fails'),
  ...both('workflow describe --workflow-id fails', { until: /FAILED|Failed/i }),
  ...both('workflow query --workflow-id one --type state --input 3'),
  line('workflow query --workflow-id one --type nothing'),
  line('workflow query --workflow-id nobody --type state'),
  ...both('workflow metadata --workflow-id one'),
  line('workflow stack --workflow-id one', { moment: true }),
  ...both('workflow update execute --workflow-id one --name bump --input 2 --update-id first'),
  line('workflow update execute --workflow-id one --name bump --input -2 --update-id refused'),
  line('workflow update execute --workflow-id one --name nothing --update-id none'),
  line(
    'workflow update start --workflow-id one --name bump --input 1 --update-id second --wait-for-stage accepted',
  ),
  line('workflow update result --workflow-id one --update-id second'),
  ...both('workflow update describe --workflow-id one --update-id second'),
  line('workflow update describe --workflow-id one --update-id unknown'),
  line(
    'workflow execute-update-with-start --type waits --task-queue cli --workflow-id three --update-name bump --update-input 4 --update-id u --id-conflict-policy UseExisting -o json',
  ),
  line(
    'workflow start-update-with-start --type waits --task-queue cli --workflow-id three --update-name bump --update-input 4 --update-id v --id-conflict-policy UseExisting --update-wait-for-stage accepted',
  ),
  ...both('workflow describe --workflow-id one'),
  ...both('workflow describe --workflow-id two --raw'),
  line('workflow describe --workflow-id nobody'),
  line('workflow describe --workflow-id one --run-id nonsense'),
  line('workflow describe --workflow-id one --reset-points'),
  ...both('workflow show --workflow-id one'),
  line('workflow show --workflow-id one --detailed'),
  ...both('workflow signal --workflow-id one --name go --input 10'),
  ...both('workflow result --workflow-id one'),
  ...both('workflow show --workflow-id one'),
  line('workflow signal --workflow-id one --name go'),
  line('workflow signal --workflow-id nobody --name go'),
  line(
    'workflow signal-with-start --type waits --task-queue cli --workflow-id four --signal-name other -o json',
  ),
  line('workflow cancel --workflow-id four --reason because'),
  line('workflow cancel --workflow-id nobody'),
  line('workflow terminate --workflow-id three --reason because'),
  line('workflow terminate --workflow-id three'),
  ...both('workflow describe --workflow-id three'),
  ...both('workflow pause --workflow-id two --reason wait'),
  line('workflow describe --workflow-id two'),
  line('workflow unpause --workflow-id two --reason now'),
  line('workflow unpause --workflow-id two'),
  line(`workflow reset --workflow-id one --event-id 4 --reason again -o json`),
  line(`workflow reset --workflow-id quick --type FirstWorkflowTask --reason again`),
  line(`workflow reset --workflow-id quick --type Nonsense --reason again`),
  line(`workflow reset --workflow-id nobody --event-id 4 --reason again`),
  line(
    'workflow reset with-workflow-update-options --workflow-id fails --event-id 4 --reason r --versioning-override-behavior auto_upgrade',
  ),
  line('workflow update-options --workflow-id two --versioning-override-behavior auto_upgrade'),
  line('workflow update-options --workflow-id two --versioning-override-behavior unspecified'),
  line('workflow update-options --workflow-id nobody --versioning-override-behavior auto_upgrade'),
  listed('WorkflowType = "fails"', 2),
  ...both("workflow count --query 'GROUP BY ExecutionStatus'", { moment: true }),
  ...both('workflow list --query \'WorkflowType = "quick" AND ExecutionStatus = "Completed"\' --limit 1', {
    moment: true,
  }),
  ...both('workflow list --query \'WorkflowId = "three"\''),
  line("workflow list --query 'Nonsense = 1'"),
  line("workflow list --query 'this is no query'"),
  line('workflow list --archived'),
  line('workflow trace --workflow-id three --no-fold', { moment: true }),
  line('workflow delete --workflow-id three --yes'),
];

const activities: readonly Line[] = [
  ...['done', 'broken', 'changed'].map((id) => start(id, 'holds', `--input '"${id}"'`)),
  line('workflow describe --workflow-id done', { until: /Pending Activities: 1/ }),
  line('workflow describe --workflow-id broken', { until: /Started/ }),
  line('workflow describe --workflow-id changed -o json', { until: /STATE_STARTED/ }),
  line(`activity complete --activity-id 1 --workflow-id done --result '"yes"'`),
  line(`activity complete --activity-id 1 --workflow-id done --result '"yes"'`),
  line('workflow result --workflow-id done'),
  line('activity pause --activity-id 1 --workflow-id changed --identity me'),
  line('activity unpause --activity-id 1 --workflow-id changed'),
  line('activity reset --activity-id 1 --workflow-id changed'),
  ...both('activity update-options --activity-id 1 --workflow-id changed --schedule-to-start-timeout 30m'),
  line('activity update-options --activity-id 9 --workflow-id changed --schedule-to-start-timeout 30m'),
  line('activity pause --activity-id 9 --workflow-id changed'),
  line(`activity fail --activity-id 1 --workflow-id broken --reason no`),
  line(`activity fail --activity-id 9 --workflow-id broken --reason no`),
];

const schedules: readonly Line[] = [
  line(
    'schedule create --schedule-id s --interval 5h --type quick --task-queue cli --workflow-id scheduled --paused --notes hello',
  ),
  line('schedule create --schedule-id s --interval 5h --type quick --task-queue cli --workflow-id scheduled'),
  line(
    `schedule create --schedule-id c --calendar '{"dayOfWeek":"Fri","hour":"3","minute":"11"}' --type quick --task-queue cli --workflow-id scheduled-2 --remaining-actions 3`,
  ),
  line('schedule create --schedule-id bad --cron nonsense --type quick --task-queue cli'),
  ...both('schedule describe --schedule-id s', { moment: true }),
  ...both('schedule describe --schedule-id nobody'),
  line('schedule toggle --schedule-id s --unpause --reason go'),
  line('schedule toggle --schedule-id nobody --pause --reason stop'),
  line(
    'schedule update --schedule-id s --interval 6h --type quick --task-queue cli --workflow-id scheduled --pause',
  ),
  line('schedule trigger --schedule-id s --overlap-policy AllowAll'),
  line('schedule trigger --schedule-id nobody'),
  line(
    'schedule backfill --schedule-id s --start-time 2024-01-01T00:00:00Z --end-time 2024-01-01T12:00:00Z --overlap-policy AllowAll',
  ),
  line(
    'schedule list-matching-times --schedule-id c --start-time 2024-01-01T00:00:00Z --end-time 2024-02-01T00:00:00Z',
  ),
  line('schedule list', { until: /\bs\b[^]*\bc\b|\bc\b[^]*\bs\b/, moment: true }),
  line('schedule list --long -o json', { moment: true }),
  line('schedule delete --schedule-id c'),
];

const batches: readonly Line[] = [
  start('many-1', 'waits'),
  start('many-2', 'waits'),
  listed('WorkflowId STARTS_WITH "many"', 2),
  line(`workflow signal --query 'WorkflowId STARTS_WITH "many"' --name other --reason all --yes`),
  line(`workflow describe --workflow-id many-1`, { until: /Length\s+[6-9]/, moment: true }),
  line('batch list', { moment: true, until: /Completed/ }),
  line(`workflow terminate --query 'WorkflowId STARTS_WITH "many"' --reason all --yes`),
  line('batch list', { moment: true, until: /Completed[^]*Completed/ }),
  line('batch describe --job-id nobody'),
  line('batch terminate --job-id nobody --reason why'),
];

const operator: readonly Line[] = [
  line('operator cluster health'),
  line('operator cluster describe', { moment: true }),
  line('operator cluster describe --detail -o json', { moment: true }),
  line('operator cluster system', { moment: true }),
  line('operator cluster list', { leftOut: true }),
  line('operator cluster upsert --frontend-address localhost:1', { leftOut: true }),
  line('operator cluster remove --name nobody', { leftOut: true }),
  line('operator namespace create --namespace cli-ns --retention 3d --description hello --email a@b.c'),
  line('operator namespace create --namespace cli-ns'),
  line('operator namespace describe --namespace cli-ns'),
  // It tells of features that the engine leaves out.
  line('operator namespace describe --namespace cli-ns -o json', { moment: true }),
  line('operator namespace describe --namespace nobody'),
  line('operator namespace update --namespace cli-ns --retention 2d'),
  line('operator namespace update --namespace nobody --retention 2d'),
  line('operator namespace list', { moment: true }),
  line('operator namespace delete --namespace cli-ns --yes', { leftOut: true }),
  line('operator search-attribute create --name CliWord --type Keyword --name CliNumber --type Int'),
  line('operator search-attribute create --name CliWord --type Keyword'),
  line('operator search-attribute create --name CliWord --type Int'),
  line('operator search-attribute create --name CliBad --type Nonsense', { moment: true }),
  ...both('operator search-attribute list'),
  line('operator search-attribute remove --name CliNumber --yes'),
  line('operator search-attribute remove --name CliNumber --yes'),
  ...[
    'endpoint list',
    'endpoint get --name x',
    'endpoint delete --name x',
    'endpoint create --name x --target-url http://localhost:1',
    'endpoint update --name x --description y',
  ].map((text) => line(`operator nexus ${text}`, { leftOut: true })),
];

const queues: readonly Line[] = [
  line('task-queue describe --task-queue cli', { moment: true }),
  line('task-queue describe --task-queue cli --legacy-mode', { moment: true }),
  line('task-queue describe --task-queue nobody-polls'),
  line('task-queue describe --task-queue nobody-polls --legacy-mode'),
  line('task-queue describe --task-queue nobody-polls -o json', { moment: true }),
  line('task-queue list-partition --task-queue cli', { moment: true }),
  line('task-queue config get --task-queue cli --task-queue-type activity', { leftOut: true }),
  line('task-queue config set --task-queue cli --task-queue-type activity --queue-rps-limit 10', {
    leftOut: true,
  }),
  line('task-queue get-build-ids --task-queue cli', { leftOut: true }),
  line('task-queue get-build-id-reachability --task-queue cli --build-id x', { leftOut: true }),
  ...[
    'add-new-default --build-id b',
    'add-new-compatible --build-id c --existing-compatible-build-id b',
    'promote-id-in-set --build-id b',
    'promote-set --build-id b',
  ].map((text) => line(`task-queue update-build-ids ${text} --task-queue cli`, { leftOut: true })),
  ...[
    'get-rules',
    'insert-assignment-rule --build-id b --yes',
    'replace-assignment-rule --build-id b --rule-index 0 --yes',
    'delete-assignment-rule --rule-index 0 --yes',
    'add-redirect-rule --source-build-id a --target-build-id b --yes',
    'replace-redirect-rule --source-build-id a --target-build-id b --yes',
    'delete-redirect-rule --source-build-id a --yes',
    'commit-build-id --build-id b --yes',
  ].map((text) => line(`task-queue versioning ${text} --task-queue cli`, { leftOut: true })),
];

const workers: readonly Line[] = [
  line('worker list', { moment: true }),
  line('worker list -o json', { moment: true }),
  line('worker count', { leftOut: true }),
  line('worker describe --worker-instance-key nobody'),
  ...both('worker deployment list', { moment: true, until: /cli-deployment/ }),
  ...both('worker deployment describe --name cli-deployment'),
  line('worker deployment describe --name nobody'),
  // The queues come in no order of their own.
  ...both('worker deployment describe-version --deployment-name cli-deployment --build-id one', {
    moment: true,
  }),
  line('worker deployment describe-version --deployment-name cli-deployment --build-id nobody'),
  line('worker deployment set-current-version --deployment-name cli-deployment --build-id one --yes'),
  line('worker deployment set-current-version --deployment-name cli-deployment --build-id nobody --yes'),
  line('worker deployment describe --name cli-deployment'),
  line(
    'worker deployment set-ramping-version --deployment-name cli-deployment --unversioned --percentage 10 --yes',
  ),
  line('worker deployment describe --name cli-deployment'),
  line(
    'worker deployment set-ramping-version --deployment-name cli-deployment --build-id one --percentage 10 --yes',
  ),
  line('worker deployment set-ramping-version --deployment-name cli-deployment --delete --yes'),
  line('worker deployment manager-identity set --deployment-name cli-deployment --manager-identity me --yes'),
  line('worker deployment manager-identity unset --deployment-name cli-deployment --yes'),
  line(
    `worker deployment update-version-metadata --deployment-name cli-deployment --build-id one --metadata 'a=1'`,
  ),
  line('worker deployment delete-version --deployment-name cli-deployment --build-id one'),
  line('worker deployment delete --name cli-deployment'),
  line('worker deployment delete --name nobody'),
  line('worker deployment create --name created', { leftOut: true }),
  line('worker deployment create-version --deployment-name created --build-id one', { leftOut: true }),
  line('worker deployment update-version-compute-config --deployment-name created --build-id one', {
    leftOut: true,
  }),
];

const alone = (id: string, type: string, more = ''): string =>
  `--activity-id ${id} --type ${type} --task-queue cli --start-to-close-timeout 1h ${more}`;

const standaloneActivities: readonly Line[] = [
  ...both(`activity start ${alone('alone', 'held', '--input 1 --static-summary hello')}`, {}),
  line(`activity start ${alone('alone', 'held', '--id-conflict-policy UseExisting')}`),
  line(`activity start ${alone('alone', 'held', '--id-conflict-policy Nonsense')}`),
  line('activity start --activity-id alone --type held --task-queue cli'),
  ...both('activity describe --activity-id alone', { until: /Started|STARTED/i }),
  line('activity describe --activity-id nobody'),
  line(`activity count --query 'ActivityId = "alone"'`, { until: /Total: 1$/ }),
  ...both(`activity list --query 'ActivityId = "alone"'`),
  line(`activity list --query 'Nope = 1'`),
  line(`activity complete --activity-id alone --result '"yes"'`),
  line(`activity complete --activity-id alone --result '"yes"'`),
  ...both('activity result --activity-id alone'),
  line('activity result --activity-id nobody'),
  ...both(`activity execute ${alone('doubled', 'doubled', '--input 4')}`),
  line(`activity execute ${alone('broken', 'broken', '--retry-maximum-attempts 1')}`),
  ...both('activity describe --activity-id broken', { until: /FAILED|Failed/i }),
  line(`activity execute ${alone('broken', 'broken', '--id-reuse-policy RejectDuplicate')}`),
  line(`activity start ${alone('failed', 'held')}`),
  line('activity describe --activity-id failed', { until: /Started/i }),
  line('activity fail --activity-id failed --reason no --detail \'"more"\''),
  line(`activity start ${alone('changed', 'held').replace('cli', 'nobody')}`),
  ...both('activity update-options --activity-id changed --schedule-to-start-timeout 30m'),
  line('activity pause --activity-id changed --reason later'),
  line('activity pause --activity-id changed --reason later'),
  line('activity describe --activity-id changed'),
  line('activity unpause --activity-id changed'),
  line('activity unpause --activity-id changed'),
  line('activity reset --activity-id changed'),
  line('activity cancel --activity-id changed --reason enough'),
  line('activity cancel --activity-id changed --reason enough'),
  line('activity describe --activity-id changed', { until: /CANCELED|Canceled/i }),
  line(`activity start ${alone('ended', 'held').replace('cli', 'nobody')}`),
  line('activity terminate --activity-id ended --reason why'),
  line('activity terminate --activity-id ended --reason why'),
  line('activity result --activity-id ended'),
  line('activity delete --activity-id ended --yes'),
  line('activity describe --activity-id ended', { until: /no activity|not found/i }),
  ...['terminate', 'delete --yes', 'cancel', 'pause', 'unpause', 'reset'].map((text) =>
    line(`activity ${text} --activity-id nobody`),
  ),
];

const standaloneOperations: readonly Line[] = [
  'list',
  'count',
  'describe --operation-id x',
  'result --operation-id x',
  'cancel --operation-id x',
  'terminate --operation-id x',
  'start --operation-id x --endpoint e --service s --operation o',
  'execute --operation-id x --endpoint e --service s --operation o',
].map((text) => line(`nexus operation ${text}`, { leftOut: true }));

/** The command lines by what they are about; each list is run in order. */
export const lists: Readonly<Record<string, readonly Line[]>> = {
  workflows,
  activities,
  schedules,
  batches,
  operator,
  queues,
  workers,
  standaloneActivities,
  standaloneOperations,
};

/** The subcommands that ask no server. */
export const local: readonly string[] = [
  'config delete',
  'config get',
  'config list',
  'config set',
  'config delete-profile',
  'env delete',
  'env get',
  'env list',
  'env set',
  'options',
  'server start-dev',
  'workflow fix-history-json',
];
