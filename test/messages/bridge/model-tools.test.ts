import { modelTools } from '../../../messages/bridge/model-tools.ts';

describe('the generations that a model takes', () => {
  it.each([
    ['claude-3-5-sonnet-20241022', 'computer_20241022', 'text_editor_20241022', 'bash_20241022'],
    ['claude-3-7-sonnet-20250219', 'computer_20250124', 'text_editor_20250124', 'bash_20250124'],
    ['claude-sonnet-4-20250514', 'computer_20250124', 'text_editor_20250728', 'bash_20250124'],
    ['claude-opus-4-1-20250805', 'computer_20250124', 'text_editor_20250728', 'bash_20250124'],
    ['claude-haiku-4-5', 'computer_20250124', 'text_editor_20250728', 'bash_20250124'],
    ['claude-sonnet-4-5-20250929', 'computer_20250124', 'text_editor_20250728', 'bash_20250124'],
    ['claude-opus-4-5-20251101', 'computer_20251124', 'text_editor_20250728', 'bash_20250124'],
    ['claude-opus-4-7', 'computer_20251124', 'text_editor_20250728', 'bash_20250124'],
    ['claude-opus-4-8', 'computer_toolset_20260801', 'text_editor_20250728', 'bash_20250124'],
    ['claude-sonnet-5', 'computer_toolset_20260801', 'text_editor_20250728', 'bash_20250124'],
    ['claude-haiku-5-5', 'computer_toolset_20260801', 'text_editor_20250728', 'bash_20250124'],
    ['claude-fable-5-2', 'computer_toolset_20260801', 'text_editor_20250728', 'bash_20250124'],
  ])('%s', (model, computer, editor, bash) => {
    expect(modelTools(model)).toMatchObject({ computer, editor, bash });
  });

  it('may be several of one tool: what needs no bridge gets none', () => {
    expect(modelTools('claude-opus-5')?.also).toContain('computer_20251124');
    expect(modelTools('claude-opus-5-5')?.also).not.toContain('computer_20251124');
    expect(modelTools('claude-sonnet-4-5')?.also).toEqual(['text_editor_20250429']);
  });

  it.each(['claude-3-5-haiku-20241022', 'claude-9', 'us.anthropic.claude-opus-4-8', 'gpt-5', 'script', ''])(
    'of %j is not known, so its clients say',
    (model) => {
      expect(modelTools(model)).toBeUndefined();
    },
  );
});
