/** The generations of the provider-defined tools, by their types in a request. */
export type ComputerGeneration =
  | 'computer_20241022'
  | 'computer_20250124'
  | 'computer_20251124'
  | 'computer_toolset_20260801';
export type EditorGeneration =
  | 'text_editor_20241022'
  | 'text_editor_20250124'
  | 'text_editor_20250429'
  | 'text_editor_20250728';
export type BashGeneration = 'bash_20241022' | 'bash_20250124';

/** The generations that a model takes. */
export interface ToolGenerations {
  readonly computer: ComputerGeneration;
  readonly editor: EditorGeneration;
  readonly bash: BashGeneration;
  /** Further generations that the model takes. Default: none. */
  readonly also?: readonly (ComputerGeneration | EditorGeneration | BashGeneration)[];
}

const EDITOR_BEFORE = ['text_editor_20250429'] as const;

/** The tools of models of the same time, by the name that a route may give. */
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
