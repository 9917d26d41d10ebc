import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Compat } from '@steadyhand/contracts';
import { processesOf } from '../../../sandbox/process-tree.ts';
import type { ShellResult } from '../../../sandbox/guest-protocol/shell.ts';
import { ShellService } from '../../../sandbox/guest/shell/shell-service.ts';
import { until } from '../helpers/sandboxes.ts';
import { createBashTool } from '../../../sandbox/tools/bash-tool.ts';
import { createFileService } from '../../../sandbox/guest/file-service.ts';
import type { ToolOutput } from '../../../sandbox/tools/tool.ts';
import { bashTool } from '../../../sandbox/tools/toolset/bash.ts';
import { ToolsetInput } from '../../../sandbox/tools/toolset/fields.ts';

/** A real bash in folders of its own, without a sandbox around it. */
export class TestShell {
  readonly folder = mkdtempSync(join(tmpdir(), 'steadyhand-bash-'));
  readonly shell: ShellService;

  constructor({
    alone = false,
    sized = [],
  }: { readonly alone?: boolean; readonly sized?: readonly string[] } = {}) {
    this.shell = new ShellService({ folder: join(this.folder, "sh'ell"), home: this.folder, alone, sized });
  }

  run(command: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<ShellResult> {
    const { timeoutMs = 60_000, signal = new AbortController().signal } = options;
    return this.shell.run({ command, timeoutMs, streams: 'merged', keepCharacters: 16_000 }, signal);
  }

  /** Runs a command that says `echo begun` and does not end, and stops it once it has said so. */
  async runUntilBegun(command: string): Promise<ShellResult> {
    const mark = join(this.folder, 'begun');
    rmSync(mark, { force: true });
    const stop = new AbortController();
    const running = this.run(command.replace('echo begun', `echo begun; : > ${mark}`), {
      timeoutMs: 90_000,
      signal: stop.signal,
    });
    await Promise.race([until(() => existsSync(mark)), running]);
    stop.abort();
    return running;
  }

  tool(compat: Compat, timeoutMs = 60_000): (input: unknown, signal?: AbortSignal) => Promise<ToolOutput> {
    const tool = createBashTool({ shell: this.shell, compat, timeoutMs });
    const definition = { type: 'bash_20241022', name: 'bash' };
    return (input, signal = new AbortController().signal) => tool.run(input, { signal, definition });
  }

  /** The `bash` of the agent toolset. */
  toolset(timeoutMs: number): (input: unknown) => Promise<ToolOutput> {
    const tool = bashTool({ shell: this.shell, files: createFileService() }, timeoutMs);
    const definition = { type: 'agent_toolset_20260401', name: 'bash' };
    const { signal } = new AbortController();
    return (input) => tool(new ToolsetInput('bash', input), { signal, definition });
  }

  async close(): Promise<void> {
    await this.shell.restart();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export { processesOf, until };
