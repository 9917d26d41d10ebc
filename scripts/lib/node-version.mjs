/** Imported first by every script: ends at once, in plain words, on a Node that is too old. Old syntax on purpose. */
const needed = [20, 3, 0];
const running = process.versions.node.split('.').map(Number);

const behind = needed.findIndex((part, index) => part !== running[index]);
if (behind !== -1 && running[behind] < needed[behind]) {
  console.error(`Steadyhand needs Node ${needed.join('.')} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
