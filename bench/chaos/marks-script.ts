/** What a step of a chaos session does: a line written by bash, a line inserted by the editor, or bash that takes a while. */
type StepKind = 'bash' | 'edit' | 'slow';

export interface MarkedStep {
  readonly kind: StepKind;
  /** The line that stands in the file once the step was done. */
  readonly mark: string;
}

/** A session of steps whose marks on the computer's disk tell of every lost and every repeated one. */
export interface MarksScript {
  /** For the `script` model. */
  readonly yaml: string;
  readonly steps: readonly MarkedStep[];
}

const MARKS = '/home/agent/marks';
const NOTES = '/home/agent/notes';

/**
 * Steps in a random order, each of which leaves one mark. A step of bash shows all marks so far, so that the log alone tells
 * what the computer had done, also when the computer is lost later. Steps go on after an error.
 */
export function marksScript(count: number, random: () => number): MarksScript {
  const steps = Array.from({ length: count }, (_, index): MarkedStep => {
    const at = random();
    const kind: StepKind = at < 0.25 ? 'edit' : at < 0.45 ? 'slow' : 'bash';
    return { kind, mark: `m${index}` };
  });
  const script = [
    { bash: SHOW, or_continue: true },
    ...steps.map(({ kind, mark }) => ({
      ...(kind === 'edit'
        ? { edit: { command: 'insert', path: NOTES, insert_line: 0, new_str: `${mark}\n` } }
        : { bash: `${kind === 'slow' ? 'sleep 2; ' : ''}echo ${mark} >> ${MARKS}; ${SHOW}` }),
      or_continue: true,
    })),
    { bash: SHOW, or_continue: true },
    { say: 'All steps are done.' },
  ];
  return { yaml: JSON.stringify(script), steps };
}

/** Shows all marks. It makes the editor's file where there is none, as on a new computer. */
const SHOW = `[ -e ${NOTES} ] || : > ${NOTES}; echo marks=$(cat ${MARKS} ${NOTES} 2>/dev/null | paste -sd,)`;
