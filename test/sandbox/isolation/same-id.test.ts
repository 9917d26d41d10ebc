import { TestSandboxes } from '../helpers/sandboxes.ts';

const ID = 'sbx_same';

/** Nothing but the mark of their processes keeps sandboxes apart that are not isolated. */
it('sandboxes of one id in two data folders leave each other alone', async () => {
  const [one, two] = [TestSandboxes.open(), TestSandboxes.open()];
  try {
    const [first, second] = [one, two].map((each) => each.client({ isolation: 'none' }));
    if (first === undefined || second === undefined) throw new Error('there are two');
    await first.create({ id: ID });
    await second.create({ id: ID });
    await two.bash(second, ID, 'variable=kept');
    await one.bash(first, ID, 'sleep 300 & echo $! > pid');
    await first.delete(ID);
    expect(await two.text(second, ID, 'echo $variable')).toBe('kept');
  } finally {
    await one.close();
    await two.close();
  }
});
