import {
  autocompletion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { type Diagnostic, lintGutter, linter, lintKeymap } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { scriptProblems } from '@steadyhand/messages/script';
import type { JsonSchema } from '../parts/schema-form/json-schema.ts';
import { schemaOffers } from './schema-offers.ts';
import { yamlPlace } from './yaml-place.ts';

/** What is wrong with a script, at the lines where it is, in the words of the parser that will run it. */
function diagnosticsOf(view: EditorView): Diagnostic[] {
  const { doc } = view.state;
  // Who has written nothing yet has made no error.
  if (doc.toString().trim() === '') return [];
  return scriptProblems(doc.toString()).map((problem) => {
    const line = doc.line(Math.min(Math.max(problem.line, 1), doc.lines));
    const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
    const message = problem.message.replace(/^line \d+: /, '');
    return { from: line.from + indent, to: line.to, severity: 'error', message };
  });
}

function offers(schema: JsonSchema) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const place = yamlPlace(state.doc.toString(), pos);
    // Nothing pops up over an empty line that nobody asked about.
    if (place === undefined || (!explicit && place.from === pos && place.path.length === 0)) return null;
    const options = schemaOffers(schema, place).map(({ label, apply, kind, about }) => ({
      label,
      apply,
      type: kind === 'property' ? 'property' : 'enum',
      ...(about === undefined ? {} : { info: about }),
    }));
    return options.length === 0 ? null : { from: place.from, options, validFor: /^[\w-]*$/ };
  };
}

const LOOKS = EditorView.theme({
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '6px',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--lift)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionInfo': { maxWidth: '32ch', padding: '6px 10px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--alarm)', padding: '4px 10px' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--alarm)',
    textUnderlineOffset: '3px',
  },
});

/** Completion by the schema of scripts, and errors by their parser. */
export function scriptExtensions(
  schema: JsonSchema | undefined,
  onCheck: (problems: number) => void,
): Extension {
  return [
    linter(
      (view) => {
        const found = diagnosticsOf(view);
        onCheck(found.length);
        return found;
      },
      { delay: 250 },
    ),
    lintGutter(),
    schema === undefined ? [] : autocompletion({ override: [offers(schema)], icons: false }),
    keymap.of([...completionKeymap, ...lintKeymap]),
    LOOKS,
  ];
}
