/** A session of mixed steps whose traces on disk tell of every lost and every repeated one. */
export interface MixedScript {
  /** For the `script` model. */
  readonly yaml: string;
  readonly clicks: number;
  readonly lines: readonly string[];
  readonly edits: readonly string[];
}

const CLICKS = '/home/agent/clicks';
const LINES = '/home/agent/lines';
const NOTES = '/home/agent/notes.txt';

/**
 * A terminal that writes a line for each click it gets (xterm's mouse tracking, press events only), then steps in turn:
 * a click, a line appended by bash, a line inserted by the editor.
 * @param steps of the mixed part
 */
export function mixedScript(steps: number): MixedScript {
  // The terminal answers the second sequence when it has carried out the first: from then on it reports clicks.
  const reader = `stty -icanon -echo; printf '\\033[?9h\\033[5n'; LC_ALL=C IFS= read -r -n 4 _; echo ready > /home/agent/reader; while LC_ALL=C IFS= read -r -n 6 _; do echo click >> ${CLICKS}; done`;
  const head = [
    `: > ${CLICKS}; : > ${LINES}; cat > /home/agent/reader.sh <<'EOF'\n${reader}\nEOF\nxterm -geometry 80x24+200+200 -e bash /home/agent/reader.sh &`,
    'until [ -s /home/agent/reader ]; do sleep 0.05; done; xdotool search --sync --onlyvisible --class xterm windowactivate --sync',
  ].map((command) => ({ bash: command }));
  const clicks: unknown[] = [];
  const lines: string[] = [];
  const edits: string[] = [];
  const mixed = Array.from({ length: steps }, (_, index): unknown => {
    switch (index % 4) {
      case 0:
      case 2:
        clicks.push(index);
        return { computer: { action: 'left_click' } };
      case 1:
        lines.push(`line ${index}`);
        return { bash: `echo line ${index} >> ${LINES}` };
      default:
        edits.push(`edit ${index}`);
        return { edit: { command: 'insert', path: NOTES, insert_line: 0, new_str: `edit ${index}\n` } };
    }
  });
  const script = [
    ...head,
    { edit: { command: 'create', path: NOTES, file_text: 'end\n' } },
    { computer: { action: 'mouse_move', coordinate: [400, 350] } },
    ...mixed,
    {
      // The last click is on its way through the terminal; after it, one too many would come at once.
      bash: `until [ $(wc -l < ${CLICKS}) -ge ${clicks.length} ] || [ $((++looks)) -gt 100 ]; do sleep 0.1; done; sleep 0.3; echo clicks=$(wc -l < ${CLICKS}); echo lines=$(paste -sd, ${LINES}); echo edits=$(paste -sd, ${NOTES})`,
    },
    { say: 'All steps are done.' },
  ];
  return { yaml: JSON.stringify(script), clicks: clicks.length, lines, edits };
}

/** What the session's last result shows, held against what was asked. */
export interface Damage {
  readonly lost: number;
  readonly repeated: number;
}

export function damage(script: MixedScript, report: string): Damage {
  const clicks = Number(/clicks=(\d+)/.exec(report)?.[1] ?? Number.NaN);
  const seenLines = (/lines=(.*)/.exec(report)?.[1] ?? '').split(',').filter(Boolean);
  const seenEdits = (/edits=(.*)/.exec(report)?.[1] ?? '')
    .split(',')
    .filter((line) => line.startsWith('edit'));
  if (Number.isNaN(clicks)) throw new Error(`no report in the last result: ${report}`);
  const parts = [
    { lost: Math.max(0, script.clicks - clicks), repeated: Math.max(0, clicks - script.clicks) },
    differences(script.lines, seenLines),
    differences(script.edits, seenEdits),
  ];
  return {
    lost: parts.reduce((sum, part) => sum + part.lost, 0),
    repeated: parts.reduce((sum, part) => sum + part.repeated, 0),
  };
}

function differences(wanted: readonly string[], seen: readonly string[]): Damage {
  const distinct = new Set(seen);
  return { lost: wanted.filter((line) => !distinct.has(line)).length, repeated: seen.length - distinct.size };
}
