import type { SessionEvent } from '../../client/api.ts';
import { describeUse } from '../turns/describe-use.ts';
import { textOf } from '../turns/event-types.ts';
import { turnsOf } from '../turns/turns.ts';

/** A conversation as Markdown: what was said, and in a line each, what was done and what came of it. */
export function markdownOf(title: string, events: readonly SessionEvent[]): string {
  const parts = turnsOf(events).rows.map((row): string => {
    switch (row.kind) {
      case 'turn':
        return `## Turn ${row.number}${row.startedAt === undefined ? '' : ` · ${row.startedAt}`}`;
      case 'message': {
        const { event } = row;
        const who = { 'user.message': 'Person', 'agent.message': 'Agent' }[event.type as string] ?? 'System';
        return `**${who}:**\n\n${'content' in event ? textOf(event.content as { type: string }[]) : ''}`;
      }
      case 'tool': {
        const output = textOf(row.result?.content);
        const outcome = row.result === undefined ? ' (no result)' : row.result.is_error ? ' (failed)' : '';
        const done = `- \`${row.use.name}\`${outcome}\n\n${fenced(describeUse(row.use))}`;
        return output === '' ? done : `${done}\n\n${fenced(output)}`;
      }
      case 'custom':
        return `- \`${row.use.name}\`\n\n${fenced(JSON.stringify(row.use.input, null, 2))}\n\n${fenced(textOf(row.result?.content))}`;
      case 'error':
        return `> Error: ${row.event.type === 'session.error' ? row.event.error.message : ''}`;
      case 'takeover':
        return '> A person had mouse and keyboard.';
      default:
        return '';
    }
  });
  return `# ${title}\n\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A block of code whose fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
