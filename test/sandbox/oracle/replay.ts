import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ToolDefinition } from '@steadyhand/contracts';
import { type Tool, ToolError } from '../../../sandbox/tools/tool.ts';
import { toolResult } from '../../../sandbox/tools/tool-result.ts';
import type { Answer, CaseFile, GoldenCase, ToolCase } from '../../oracle/tools/tool-case.ts';

/** What the reference answered, by the name of the case. */
export function goldenCases(kind: 'editor' | 'bash'): ReadonlyMap<string, GoldenCase> {
  const text = readFileSync(join(__dirname, `../../oracle/tools/golden-${kind}.json`), 'utf8');
  return new Map((JSON.parse(text) as GoldenCase[]).map((golden) => [golden.name, golden]));
}

/** Runs a case through a tool in a folder of its own; answers as the golden ones are written. */
export async function replay(
  testCase: ToolCase,
  definition: ToolDefinition,
  toolIn: (folder: string) => { readonly tool: Tool; readonly close: () => Promise<void> },
): Promise<Omit<GoldenCase, 'name'>> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-case-'));
  const { tool, close } = toolIn(folder);
  try {
    for (const [name, file] of Object.entries(testCase.files ?? {})) put(join(folder, name), file);
    const answers: Answer[] = [];
    for (const call of testCase.calls) answers.push(await answer(tool, definition, placed(call, folder)));
    await close();
    const files = ['f', ...(testCase.check ?? [])].map((name) => [name, bytes(join(folder, name))]);
    return {
      answers: answers.map((given) =>
        'content' in given ? { ...given, content: short(unplaced(given.content, folder)) } : given,
      ),
      files: Object.fromEntries(files) as GoldenCase['files'],
    };
  } finally {
    execFileSync('chmod', ['-R', 'u+rwx', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answer(tool: Tool, definition: ToolDefinition, input: unknown): Promise<Answer> {
  try {
    const output = await tool.run(input, { definition, signal: new AbortController().signal });
    const { is_error, content } = toolResult(output, 'reference');
    const text =
      typeof content === 'string'
        ? content
        : content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('');
    return { is_error, content: text };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { is_error: true, content: error.message };
  }
}

function put(path: string, file: CaseFile): void {
  mkdirSync(dirname(path), { recursive: true });
  if ('link' in file) symlinkSync(file.link, path);
  else if ('fifo' in file) execFileSync('mkfifo', [path]);
  else if ('folder' in file) mkdirSync(path);
  else writeFileSync(path, 'hex' in file ? Buffer.from(file.hex, 'hex') : file.text);
  if ('mode' in file && file.mode !== undefined) chmodSync(path, file.mode);
}

function placed(call: unknown, folder: string): unknown {
  return JSON.parse(JSON.stringify(call).replaceAll('DIRNAME', basename(folder)).replaceAll('DIR', folder));
}

function unplaced(text: string, folder: string): string {
  return text.replaceAll(folder, 'DIR').replaceAll(basename(folder), 'DIRNAME');
}

function bytes(path: string): string | null {
  try {
    return statSync(path).isFile() ? short(readFileSync(path).toString('hex')) : null;
  } catch {
    return null;
  }
}

function short(text: string): string {
  return Array.from(text).length <= 1500 ? text : `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}
