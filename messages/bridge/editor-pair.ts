import { INVALID_JSON } from '../actions/decode-computer.ts';
import { decodeEditor, encodeEditor, NO_UNDO } from '../actions/editor.ts';
import { EDITOR_FORMS, type EditorForm } from '../tools/editor-fields.ts';
import type { TextEditorTool } from '../api/api-types.ts';
import { isRecord } from '../api/is-record.ts';
import type { NamedUse } from '../tools/tool-names.ts';
import type { ToolPair, Translated, Use } from './tool-pair.ts';

const NAMES: ReadonlySet<string> = new Set(Object.values(EDITOR_FORMS).map(({ name }) => name));

export class EditorPair implements ToolPair {
  readonly client: TextEditorTool;
  readonly upstream: TextEditorTool;
  readonly #clientForm: EditorForm;
  readonly #upstreamForm: EditorForm;

  constructor(client: TextEditorTool, upstream: TextEditorTool) {
    this.client = client;
    this.upstream = upstream;
    this.#clientForm = EDITOR_FORMS[client.type];
    this.#upstreamForm = EDITOR_FORMS[upstream.type];
  }

  isClients({ name, toolset_name: toolset }: NamedUse): boolean {
    return toolset == null && name === this.client.name;
  }

  isRecorded({ name, toolset_name: toolset }: NamedUse): boolean {
    return toolset == null && NAMES.has(name);
  }

  isUpstreams({ name, toolset_name: toolset }: NamedUse): boolean {
    return toolset == null && name === this.upstream.name;
  }

  toClient({ input }: Use): Translated {
    const { name } = this.client;
    if (!isRecord(input) || INVALID_JSON in input) return { uses: [{ name, input }] };
    const { action, invalid } = decodeEditor(this.#upstreamForm, input);
    if (action === undefined) {
      if (input['command'] === 'undo_edit') return { refused: invalid };
      // The client's editor explains an input that is invalid for both. One that it would accept is refused here.
      const wrongThereToo = decodeEditor(this.#clientForm, input).invalid !== undefined;
      return wrongThereToo ? { uses: [{ name, input }] } : { refused: invalid };
    }
    const { inputs, refused } = encodeEditor(this.#clientForm, action);
    return inputs === undefined ? { refused } : { uses: inputs.map((each) => ({ name, input: each })) };
  }

  toUpstream(uses: readonly Use[]): readonly Use[] | undefined {
    const [use] = uses;
    if (use === undefined || uses.length > 1) return undefined;
    const { name } = this.upstream;
    const command = isRecord(use.input) ? decodeEditor(this.#clientForm, use.input).action : undefined;
    const inputs = command === undefined ? undefined : encodeEditor(this.#upstreamForm, command).inputs;
    return (inputs ?? [use.input]).map((input) => ({ name, input }));
  }

  note(): string | undefined {
    if (this.#clientForm.undo || !this.#upstreamForm.undo) return undefined;
    return `With ${this.upstream.name} ${NO_UNDO}.`;
  }
}
