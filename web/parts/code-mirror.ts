import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type CodeLanguage = 'json' | 'yaml' | 'text';

interface CodeOptions {
  readonly label: string;
  readonly code: string;
  readonly language: CodeLanguage;
  readonly readOnly: boolean;
  readonly onChange: (code: string) => void;
  /** What the language has of its own: completion, errors. */
  readonly extras?: Extension | undefined;
}

export interface CodeEditing {
  /**
   * Shows code that comes from elsewhere. What the editor itself has reported comes back as such, too, and may be older than
   * what was typed meanwhile: it changes nothing.
   */
  readonly show: (code: string) => void;
  readonly close: () => void;
}

const LANGUAGES: Readonly<Record<CodeLanguage, () => Extension>> = { json, yaml, text: () => [] };

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--info)' },
  { tag: [tags.string, tags.content], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--wait)' },
  { tag: tags.comment, color: 'var(--quiet)' },
]);

const LOOKS = EditorView.theme({
  '&': { backgroundColor: 'var(--card)', color: 'var(--ink)', fontSize: '0.93em' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--quiet)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)' },
});

/** Marks a change that was not made in the editor. */
const fromElsewhere = Annotation.define<true>();

/**
 * Opens an editor in `host`. It stands in a shadow root, because its styles are style sheets of the document object model
 * there; anywhere else they would be style elements, which the content security policy forbids.
 */
export function editCode(host: HTMLElement, options: CodeOptions): CodeEditing {
  const { label, code, language, readOnly, onChange, extras = [] } = options;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  /** What was reported and has not come back yet, oldest first. */
  let reported: string[] = [];
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: code,
      extensions: [
        extras,
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightSelectionMatches(),
        // Tab leaves the editor, so that the keyboard is not caught in it.
        keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap]),
        LANGUAGES[language](),
        syntaxHighlighting(COLOURS),
        LOOKS,
        EditorView.lineWrapping,
        EditorState.readOnly.of(readOnly),
        EditorView.editable.of(!readOnly),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (!docChanged || transactions.some((each) => each.annotation(fromElsewhere))) return;
          const text = state.doc.toString();
          reported.push(text);
          onChange(text);
        }),
      ],
    }),
  });
  return {
    show: (text) => {
      const held = view.state.doc.toString();
      const back = reported.indexOf(text);
      const isNews = text !== held && back === -1;
      reported = isNews || text === held ? [] : reported.slice(back + 1);
      if (!isNews) return;
      view.dispatch({
        changes: { from: 0, to: held.length, insert: text },
        annotations: fromElsewhere.of(true),
      });
    },
    close: () => view.destroy(),
  };
}
