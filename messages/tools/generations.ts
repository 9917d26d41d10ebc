/** The generations of the provider-defined tools, by the type that a request names each by. */
export type ComputerGeneration =
  'computer_20241022' | 'computer_20250124' | 'computer_20251124' | 'computer_toolset_20260801';
export type EditorGeneration =
  'text_editor_20241022' | 'text_editor_20250124' | 'text_editor_20250429' | 'text_editor_20250728';
export type BashGeneration = 'bash_20241022' | 'bash_20250124';

/** Which generations a model was made for: what a request to it may list. */
export interface ToolGenerations {
  readonly computer: ComputerGeneration;
  readonly editor: EditorGeneration;
  readonly bash: BashGeneration;
  /** Generations that the model takes beside these: a client's tool of one of them stays as it is. Default: none. */
  readonly also?: readonly (ComputerGeneration | EditorGeneration | BashGeneration)[];
}

const EDITOR_BEFORE = ['text_editor_20250429'] as const;

/** The provider-defined tools that models of one time were made for, by the name that a route may give. */
export const TOOL_SETS = {
  '20241022': { computer: 'computer_20241022', editor: 'text_editor_20241022', bash: 'bash_20241022' },
  '20250124': { computer: 'computer_20250124', editor: 'text_editor_20250124', bash: 'bash_20250124' },
  '20250429': { computer: 'computer_20250124', editor: 'text_editor_20250429', bash: 'bash_20250124' },
  '20250728': {
    computer: 'computer_20250124',
    editor: 'text_editor_20250728',
    bash: 'bash_20250124',
    also: EDITOR_BEFORE,
  },
  '20251124': {
    computer: 'computer_20251124',
    editor: 'text_editor_20250728',
    bash: 'bash_20250124',
    also: EDITOR_BEFORE,
  },
  toolset: {
    computer: 'computer_toolset_20260801',
    editor: 'text_editor_20250728',
    bash: 'bash_20250124',
    also: EDITOR_BEFORE,
  },
} as const satisfies Record<string, ToolGenerations>;
