import { ApiError } from '@steadyhand/contracts';
import type { Payload } from '../shapes/payload.ts';
import type { Run, RunName } from '../shapes/service.ts';
import type { Workflow } from '../shapes/workflow.ts';
import type { Capabilities } from '../acting/capabilities.ts';
import { eventIdOf, eventsJson } from '../histories/event-json.ts';
import { OpenTimers } from '../histories/open-timers.ts';
import { payloadLink } from '../histories/payload-link.ts';
import { firstEvent, lastEvent } from '../histories/read-history.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import { workflowView } from '../views/workflow.ts';
import { type Fields, fieldsOf, numberOf, textOf, wordOf } from '../wire/fields.ts';
import { protoJson } from '../wire/proto-json.ts';
import type { TemporalCalls } from '../wire/service.ts';

/** Tells everything about one run. */
export class Descriptions {
  readonly #calls: TemporalCalls;
  readonly #reader: PayloadReader;
  readonly #capabilities: Capabilities;
  readonly #timers: OpenTimers;
  readonly #isMachineKnown: (workflowType: string) => Promise<boolean>;

  constructor(
    calls: TemporalCalls,
    reader: PayloadReader,
    capabilities: Capabilities,
    isMachineKnown: (workflowType: string) => Promise<boolean>,
  ) {
    this.#calls = calls;
    this.#reader = reader;
    this.#capabilities = capabilities;
    this.#timers = new OpenTimers(calls, reader);
    this.#isMachineKnown = isMachineKnown;
  }

  /** The run that a name means. Rejects where there is none. */
  async resolve(
    name: RunName,
  ): Promise<Run & { readonly workflowType: string; readonly historyLength: number }> {
    const info = fieldsOf(await this.#described(name), 'workflowExecutionInfo');
    return {
      workflowId: name.workflowId,
      runId: textOf(fieldsOf(info, 'execution'), 'runId'),
      workflowType: textOf(fieldsOf(info, 'type'), 'name'),
      historyLength: numberOf(info, 'historyLength'),
    };
  }

  async describe(name: RunName): Promise<Workflow> {
    const description = await this.#described(name);
    const info = fieldsOf(description, 'workflowExecutionInfo');
    const run = { workflowId: name.workflowId, runId: textOf(fieldsOf(info, 'execution'), 'runId') };
    const status = wordOf(info, 'status', 'WORKFLOW_EXECUTION_STATUS_');
    const isOpen = status === 'running' || status === 'paused';
    const [events, timers, canReset, isMachineKnown] = await Promise.all([
      this.#ends(run, isOpen),
      isOpen ? this.#timers.of(run, numberOf(info, 'historyLength')) : [],
      this.#capabilities.reset(),
      this.#isMachineKnown(textOf(fieldsOf(info, 'type'), 'name')),
      this.#reader.decode([{ message: description, hrefOf: (path) => payloadLink(run, path) }], 'decoded'),
    ]);
    const [started = {}, closed = null] = events;
    const { namespace } = this.#calls;
    return workflowView({ namespace, description, started, closed, timers, canReset, isMachineKnown });
  }

  /** A payload of the description, whole. */
  async payload(name: RunName, path: string): Promise<Payload> {
    const found = await this.#reader.whole(await this.#described(name), path);
    if (found === undefined)
      throw new ApiError('not_found_error', `No payload at ${path} of the description`);
    return found;
  }

  /** The first event, and the last one of a run that has closed. */
  async #ends(run: Run, isOpen: boolean): Promise<readonly Fields[]> {
    const first = await firstEvent(this.#calls, run);
    const last = isOpen ? undefined : await lastEvent(this.#calls, run);
    const events = [first, last].filter((event) => event !== undefined);
    const distinct = events.filter(
      (event, index) => index === 0 || eventIdOf(event) !== eventIdOf(events[0] ?? event),
    );
    return await eventsJson(distinct, run, this.#reader, 'decoded');
  }

  async #described({ workflowId, runId }: RunName): Promise<Fields> {
    const { namespace } = this.#calls;
    const response = await this.#calls.call(`Workflow ${workflowId}`, (service) =>
      service.describeWorkflowExecution({ namespace, execution: { workflowId, runId: runId ?? '' } }),
    );
    return protoJson('workflowservice.v1.DescribeWorkflowExecutionResponse', response);
  }
}
