import type { ActionOutcome, ToolDefinition } from '@steadyhand/contracts';
import type { Sandboxes, SandboxesOptions } from '../../../sandbox/client/sandboxes.ts';
import { TestSandboxes, textOf } from '../helpers/sandboxes.ts';

export type Create = Parameters<Sandboxes['create']>[0];

/** The agent toolset of a real sandbox. */
export class ToolsetBench {
  readonly test: TestSandboxes;
  readonly client: Sandboxes;
  readonly id: string;

  static async open(options: Partial<SandboxesOptions> = {}, create: Create = {}): Promise<ToolsetBench> {
    const test = TestSandboxes.open();
    const client = test.client(options);
    const { id } = await client.create(create);
    return new ToolsetBench(test, client, id);
  }

  private constructor(test: TestSandboxes, client: Sandboxes, id: string) {
    this.test = test;
    this.client = client;
    this.id = id;
  }

  use(name: string, input: unknown, more: object = {}): Promise<ActionOutcome> {
    const tool = { type: 'agent_toolset_20260401', name, ...more } as ToolDefinition;
    return this.client.perform(this.id, { key: this.test.newKey(), tool, input });
  }

  /** What a call answers; an error's text stands behind `error: `. */
  async call(name: string, input: unknown, more: object = {}): Promise<string> {
    const outcome = await this.use(name, input, more);
    const failed = outcome.status !== 'unknown' && outcome.is_error;
    return (failed ? 'error: ' : '') + textOf(outcome);
  }

  /** The output of a command, by the shell tool of its own. */
  sh(command: string): Promise<string> {
    return this.test.text(this.client, this.id, command);
  }

  close(): Promise<void> {
    return this.test.close();
  }
}
