import { toolResult, withNotice } from '../../../sandbox/tools/tool-result.ts';
import type { ToolOutput } from '../../../sandbox/tools/tool.ts';

const image = new Uint8Array([1, 2, 3]);
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQID' } };
const text = (content: string): object => ({ type: 'text', text: content });

describe('what a tool gave back, as the content of a tool_result', () => {
  it.each<[ToolOutput, object, object]>([
    [
      { output: 'out' },
      { is_error: false, content: [text('out')] },
      { is_error: false, content: [text('out')] },
    ],
    [{ output: '' }, { is_error: false, content: [] }, { is_error: false, content: [] }],
    [
      { output: 'X=1,Y=2', image },
      { is_error: false, content: [text('X=1,Y=2'), picture] },
      { is_error: false, content: [text('X=1,Y=2'), picture] },
    ],
    [{ image }, { is_error: false, content: [picture] }, { is_error: false, content: [picture] }],
    [{ error: 'bad' }, { is_error: true, content: 'bad' }, { is_error: true, content: 'bad' }],
    // stdout beside stderr: the reference drops it.
    [
      { output: 'out', error: 'err' },
      { is_error: true, content: 'out\nerr' },
      { is_error: true, content: 'err' },
    ],
    [
      { output: 'out', error: '' },
      { is_error: true, content: 'out' },
      { is_error: false, content: [text('out')] },
    ],
    [
      { system: 'must be restarted', error: 'exited' },
      { is_error: true, content: '<system>must be restarted</system>\nexited' },
      { is_error: true, content: '<system>must be restarted</system>\nexited' },
    ],
    [
      { system: 'said', output: 'out' },
      { is_error: false, content: [text('<system>said</system>\nout')] },
      { is_error: false, content: [text('<system>said</system>\nout')] },
    ],
    // A restart: the reference's content is empty.
    [
      { system: 'tool has been restarted.' },
      { is_error: false, content: [text('<system>tool has been restarted.</system>')] },
      { is_error: false, content: [] },
    ],
    [
      { error: 'bad', image },
      { is_error: true, content: [text('bad'), picture] },
      { is_error: true, content: 'bad' },
    ],
  ])('%j', (output, byDefault, byReference) => {
    expect(toolResult(output, 'default')).toEqual(byDefault);
    expect(toolResult(output, 'reference')).toEqual(byReference);
  });

  it('puts a notice before it', () => {
    expect(withNotice({ is_error: true, content: 'bad' }, 'new').content).toBe('<system>new</system>\nbad');
    expect(withNotice({ is_error: false, content: [] }, 'new').content).toEqual([
      text('<system>new</system>'),
    ]);
  });
});
