/** Every script imports this first. It ends the process on a Node that is too old, so it uses old syntax only. */
const needed = [20, 3, 0];
const running = process.versions.node.split('.').map(Number);

const differing = needed.findIndex((part, index) => part !== running[index]);
if (differing !== -1 && Number(running[differing]) < Number(needed[differing])) {
  console.error(`Steadyhand needs Node ${needed.join('.')} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
