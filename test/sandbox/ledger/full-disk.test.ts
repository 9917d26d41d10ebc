import { describeSmallDisk, onSmallDisk } from '../helpers/small-disk.ts';

const PROGRAM = `
  import { appendFileSync, rmSync, statSync } from 'node:fs';
  import { ActionQueue } from './sandbox/daemon/actions/action-queue.ts';
  import { Ledger } from './sandbox/daemon/ledger/ledger.ts';
  import { layoutOf } from './sandbox/layout.ts';

  const layout = layoutOf('/small');
  const done = [];
  let fillWhileActing = false;
  // Larger than a page and than what is set aside, and another one each time: the same would be kept once.
  const pictureOf = (key) => Buffer.alloc(300_000, key).toString('base64');
  const words = ' word'.repeat(2_000);
  const performer = {
    prepare: async () => undefined,
    perform: async ({ key }) => {
      done.push(key);
      if (fillWhileActing) fill();
      const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pictureOf(key) } };
      return { status: 'done', is_error: false, content: [{ type: 'text', text: key + words }, picture] };
    },
  };
  const act = (queue, key) =>
    queue.perform({ key, tool: { type: 'computer_20241022', name: 'computer' }, input: { action: 'key', text: key } })
      .then((outcome) => outcome.status === 'unknown' ? 'unknown' : outcome.content.map((block) => (block.text ?? 'picture').replace(words, '')).join(), (error) => error.code);
  function fill() {
    for (const size of [65536, 4096, 512, 1]) {
      try { for (;;) appendFileSync('/small/fill', Buffer.alloc(size)); } catch {}
    }
  }
  async function main() {
    const ledgers = [await Ledger.open(layout)];
    const queue = new ActionQueue(ledgers[0], performer);
    const report = { first: await act(queue, 'first') };
    // The disk fills up while an action is under way: its outcome is kept all the same, without its picture.
    fillWhileActing = true;
    report.during = await act(queue, 'during');
    fillWhileActing = false;
    fill();
    report.refused = await act(queue, 'refused');
    report.again = await act(queue, 'refused');
    ledgers.push(await Ledger.open(layout));
    const later = new ActionQueue(ledgers[1], performer);
    report.firstLater = await act(later, 'first');
    report.duringLater = await act(later, 'during');
    rmSync('/small/fill');
    report.room = await act(later, 'refused');
    report.reserve = statSync(layout.reserve).size;
    report.done = done;
    for (const ledger of ledgers) await ledger.close();
    process.stdout.write(JSON.stringify(report));
  }
  void main();
`;

describeSmallDisk('a full disk', () => {
  it('what cannot be recorded is not begun, what was done is not forgotten', async () => {
    expect(await onSmallDisk(1_048_576, PROGRAM)).toEqual({
      first: 'first,picture',
      during: 'during,picture',
      refused: 'storage_full',
      again: 'storage_full',
      firstLater: 'first,picture',
      duringLater: 'during,<system>the picture could not be kept: the disk is full</system>',
      room: 'refused,picture',
      reserve: 262_144,
      done: ['first', 'during', 'refused'],
    });
  });
});
