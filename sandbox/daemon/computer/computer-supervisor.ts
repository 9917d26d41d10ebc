import { setTimeout as pause } from 'node:timers/promises';
import {
  type ActionOutcome,
  type ActionRequest,
  AGENT_TOOLSET,
  type Compat,
  SandboxError,
} from '@steadyhand/contracts';
import { errorText } from '../../error-fields.ts';
import type { Tool, ToolOutput } from '../../tools/tool.ts';
import { toolResult, type ToolResult, withNotice } from '../../tools/tool-result.ts';
import { longestCall } from '../../tools/toolset/toolset.ts';
import type { Performer } from '../actions/action-queue.ts';
import type { Computer } from './computer.ts';
import { PackagesError } from '../../packages/errors.ts';
import { GuestGoneError } from './guest-client.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import { resolveSecrets } from '../../secrets/references.ts';

const DISPLAY_MS = 30_000;
/** How long a tool may exceed its time limit, or run on after an interrupt, before the computer counts as hung. */
const HANG_MS = 10_000;
/** The longest wait that a computer action of any generation may ask for. */
const LONGEST_ACTION_MS = 300_000;
/** The pause between a failed installation of packages and the next attempt. */
const RETRY_MS = 1_000;
const RESTARTED =
  'The computer was started anew: its programs, windows and shell are gone; files are as they were.';
const RESTORED =
  'The computer was started anew from a snapshot: its programs, windows and shell are gone; the files in the home folder are those of the snapshot.';
const WINDOWS_GONE =
  'The X server ended: all windows and the programs that showed them are gone. The next use of the screen starts it anew, with an empty desktop; files and the shell are as they were.';
const STOPPED = 'The computer stopped during this action: everything that ran on it has ended.';

/** The result as it is recorded and returned: without the values of the action's secrets, used or not. */
function withoutSecrets(result: ToolResult, secrets: ActionRequest['secrets'] = []): ToolResult {
  if (secrets.length === 0) return result;
  const { redact } = createRedactor(secrets);
  const { content } = result;
  if (typeof content === 'string') return { ...result, content: redact(content) };
  return {
    ...result,
    content: content.map((block) => (block.type === 'text' ? { ...block, text: redact(block.text) } : block)),
  };
}

interface SupervisorOptions {
  readonly start: () => Promise<Computer>;
  readonly compat: Compat;
  /** Whether an earlier daemon's computer was lost. */
  readonly restarted: boolean;
  /** Milliseconds a bash command may take. */
  readonly bashTimeoutMs: number;
  /** Returns sentences on the limits that were hit since the last call. */
  readonly limitsHit: () => readonly string[];
}

/** Keeps a computer running and performs actions on it. */
export class ComputerSupervisor implements Performer {
  readonly #options: SupervisorOptions;
  #computer: Promise<Computer> | null = null;
  #current: Computer | null = null;
  /** Resolves when the last computer has ended; the next one waits for it. */
  #ended: Promise<void> = Promise.resolve();
  /** Whether the model has not been told yet that the computer was started anew. */
  #restartUnreported: boolean;
  /** Why the last computer was ended, for the notice; empty when nobody ended it. */
  #endReason = '';
  /** Whether its files were replaced from a snapshot. */
  #restored = false;
  /** Resolves when a restore is over; a computer may not start before. */
  #restoring: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#restartUnreported = options.restarted;
  }

  /** The computer that runs now; null while none runs. */
  get current(): Computer | null {
    return this.#current;
  }

  /** The running computer, which is started when there is none. */
  running(): Promise<Computer> {
    if (this.#stopped) return Promise.reject(new GuestGoneError('the sandbox is shutting down'));
    this.#computer ??= this.#boot();
    return this.#computer;
  }

  /** Waits until the display has come up, so that a program that the first action starts finds it. */
  async prepare({ only_if_window: wanted }: ActionRequest): Promise<void> {
    const computer = await this.running().catch((error: unknown) => {
      // `perform` gives this failure to the model as the result of its action.
      if (error instanceof PackagesError) return null;
      throw error;
    });
    if (computer === null) return;
    const { settled, display } = computer;
    await Promise.race([settled, pause(DISPLAY_MS, undefined, { ref: false })]);
    if (wanted === undefined) return;
    const state = await display.open();
    const title = 'unavailable' in state ? null : ((await state.display.activeWindow())?.title ?? null);
    if (title !== wanted)
      throw new SandboxError('window_changed', 'another window has the keyboard by now; nothing was done');
  }

  async perform(request: ActionRequest, signal: AbortSignal): Promise<ActionOutcome> {
    const { tool } = request;
    let reason = STOPPED;
    const computer = await this.running().catch((error: unknown) => {
      if (error instanceof PackagesError) reason = error.message;
      return null;
    });
    const notice = this.#restored ? RESTORED : this.#restartUnreported ? RESTARTED + this.#endReason : null;
    this.#restartUnreported = false;
    this.#restored = false;
    this.#endReason = '';
    const found = computer?.tools.get(tool.type);
    let result: ReturnType<typeof toolResult>;
    try {
      if (computer === null) result = { is_error: true, content: reason };
      else if (found === undefined) result = { is_error: true, content: this.#unknownTool(tool) };
      else result = toolResult(await this.#watched(computer, found, request, signal), this.#compatOf(tool));
    } catch (error) {
      const gone = error instanceof GuestGoneError;
      // The notice about the new computer comes with the next result, which is from that computer.
      result = { is_error: true, content: gone ? STOPPED : errorText(error) };
    }
    const notices = [notice, this.#windowsGone(computer), ...this.#options.limitsHit()].filter(
      (text) => text !== null,
    );
    const noticed = notices.length === 0 ? result : withNotice(result, notices.join(' '));
    const told = withoutSecrets(noticed, request.secrets);
    return { status: signal.aborted ? 'interrupted' : 'done', ...told };
  }

  /** Forgets what happened before anybody used the computer: to its first user nothing of that is lost. */
  forgetPast(): void {
    this.#restartUnreported = false;
    this.#endReason = '';
    this.#current?.display.takeLoss();
    this.#options.limitsHit();
  }

  /**
   * Says once for each loss that the windows are gone; after the end of the computer the next one's result says more.
   */
  #windowsGone(computer: Computer | null): string | null {
    const lost = computer?.display.takeLoss() === true;
    return lost && computer === this.#current ? WINDOWS_GONE : null;
  }

  /**
   * Runs the tool, and ends the computer when the tool does not return: its guest has the agent's rights, so the agent
   * can stop it (`kill -STOP -1`), and the next action must not wait for ever.
   */
  async #watched(
    computer: Computer,
    tool: Tool,
    { input: given, tool: definition, secrets = [] }: ActionRequest,
    signal: AbortSignal,
  ): Promise<ToolOutput> {
    const { input, env } = resolveSecrets(definition, given, secrets);
    const end = (): void => void computer.stop();
    let afterAbort: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      afterAbort = setTimeout(end, HANG_MS);
    };
    const overdue = setTimeout(end, this.#longest(definition, input) + HANG_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await tool.run(input, { signal, definition, env });
    } finally {
      clearTimeout(overdue);
      clearTimeout(afterAbort);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #longest(definition: ActionRequest['tool'], input: unknown): number {
    if (definition.type === AGENT_TOOLSET) return longestCall(definition, input, this.#options.bashTimeoutMs);
    return definition.type.startsWith('bash_') ? this.#options.bashTimeoutMs : LONGEST_ACTION_MS;
  }

  /** The reference has no agent toolset, so its results do not depend on `compat`. */
  #compatOf({ type }: ActionRequest['tool']): Compat {
    return type === AGENT_TOOLSET ? 'default' : this.#options.compat;
  }

  #unknownTool({ type, name }: ActionRequest['tool']): string {
    const text = `Tool ${name} is invalid`;
    return this.#options.compat === 'reference' ? text : `${text}: this sandbox has no tool of type ${type}`;
  }

  /**
   * Ends the running computer and resolves when it has ended. The next action starts another and tells the model why.
   */
  async end(why: string): Promise<void> {
    if (this.#current === null) return;
    this.#endReason = ` ${why}`;
    await this.#current.stop();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const computer = await this.#computer?.catch(() => null);
    await computer?.stop();
  }

  /** Ends the computer and does some work on its files. No computer starts before that work has ended. */
  async restoreWith(work: () => Promise<void>): Promise<void> {
    const computer = this.#computer;
    let done: () => void = () => undefined;
    this.#restoring = new Promise((resolve) => (done = resolve));
    try {
      await (await computer?.catch(() => null))?.stop();
      await work();
      this.#restored = true;
    } finally {
      done();
    }
  }

  async #boot(): Promise<Computer> {
    const restoring = this.#restoring;
    try {
      await restoring;
      await this.#ended;
      const computer = await this.#options.start();
      this.#current = computer;
      void computer.guest.gone.then(() => {
        this.#ended = computer.gone;
        this.#current = null;
        this.#computer = null;
        this.#restartUnreported = true;
      });
      return computer;
    } catch (error) {
      // Those who wait for this attempt get the same error; the next use tries again.
      if (error instanceof PackagesError) setTimeout(() => (this.#computer = null), RETRY_MS).unref();
      else this.#computer = null;
      throw error;
    }
  }
}
