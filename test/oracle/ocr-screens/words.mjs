/** Texts like those on screens, from a seed. */
const vocabulary = (
  'the of and to in is for on that with as it be are this was at from have by not or an you which one can more will about ' +
  'your all out up has do their what if there when time file folder window open close save print search settings network ' +
  'account password user name address street city country company office meeting report budget project team member task ' +
  'status pending complete failed running stopped waiting customer invoice order payment total amount balance price ' +
  'discount shipping delivery product quantity category available weekly monthly yearly morning afternoon evening Monday ' +
  'Tuesday Wednesday Thursday Friday January February March April summer winter garden kitchen library museum station ' +
  'airport journey weather rain sunny cloudy storm river mountain forest village bridge harbour island music picture ' +
  'video camera keyboard screen mouse printer battery memory storage device driver update version release install remove ' +
  'download upload connect server client request response message thread channel subject attachment draft archive inbox ' +
  'quick brown jumps over lazy zebra quartz fixed jovial wizard boxing vexed puzzle hazy rhythm knowledge language ' +
  'illustration million follow village little bill allow Illinois Iceland India Italy Oxford Zurich minimum community ' +
  'committee coffee difference traffic efficient waffle offline flight fluid reflect pixel example exact maximum'
).split(' ');

const phrases = [
  'File', 'Edit', 'View', 'Insert', 'Format', 'Tools', 'Help', 'Cancel', 'OK', 'Apply', 'Sign in', 'Log out', 'Save as...',
  'Add to cart', 'Check out', 'Learn more', 'Read more', 'Next page', 'Go back', 'Submit order', 'Delete all', 'Undo',
  'Select all', 'Find & replace', 'New folder', 'Rename', 'Properties', 'Preferences', 'About', 'Quit', 'Refresh',
  'Show details', 'Hide', 'Copy link', 'Paste', 'Cut', 'Print...', 'Export (PDF)', 'Import CSV', 'Try again', 'Continue',
]; // prettier-ignore

/** A source of random choices; the same seed makes the same texts. */
export function textSource(seed) {
  let state = seed >>> 0 || 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const int = (from, to) => from + Math.floor(random() * (to - from + 1));
  const pick = (list) => list[int(0, list.length - 1)];
  const word = () => pick(vocabulary);
  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const kinds = {
    number: () => pick([`${int(1, 99)}`, `${int(100, 9999)}`, `${int(1, 99)}.${int(0, 9)}%`, `${int(1, 9)},${int(100, 999)}.${int(10, 99)}`]),
    price: () => `$${int(1, 999)}.${int(10, 99)}`,
    date: () => pick([`2024-0${int(1, 9)}-${int(10, 28)}`, `${int(1, 12)}/${int(1, 28)}/2023`, `${int(10, 28)}.0${int(1, 9)}.2025`]),
    clock: () => `${int(10, 23)}:${int(10, 59)}`,
    path: () => pick([`/home/${word().toLowerCase()}/${word().toLowerCase()}`, `/etc/${word().toLowerCase()}.conf`, `C:\\${capital(word())}\\${word().toLowerCase()}.txt`, `~/${word().toLowerCase()}_${int(1, 99)}.log`]),
    name: () => `${word().toLowerCase()}${pick(['.txt', '.pdf', '.png', '_old.doc', '-2.csv', '.tar.gz', '.md', '.json'])}`,
    mail: () => `${word().toLowerCase()}.${word().toLowerCase()}@example.com`,
    url: () => `https://www.${word().toLowerCase()}.org/${word().toLowerCase()}`,
    version: () => `v${int(0, 9)}.${int(0, 20)}.${int(0, 30)}`,
    size: () => `${int(1, 999)} ${pick(['KB', 'MB', 'GB'])}`,
    phrase: () => pick(phrases),
    key: () => pick(['Ctrl+C', 'Ctrl+Shift+T', 'Alt+F4', 'F11', 'Shift+Tab', 'Ctrl+Z']),
    code: () => pick([`const ${word().toLowerCase()} = ${int(0, 99)};`, `if (${word().toLowerCase()} > ${int(0, 9)}) {`, `return ${word().toLowerCase()}.${word().toLowerCase()}();`, `import { ${word().toLowerCase()} } from './${word().toLowerCase()}.js';`, `print("${word()} ${word()}")`, `for (let i = 0; i < ${int(2, 99)}; i++)`, `// ${word()} ${word()} ${word()}`]),
  }; // prettier-ignore
  const words = (count) => Array.from({ length: count }, word).join(' ');
  const sentence = () => {
    const list = Array.from({ length: int(6, 12) }, () => (random() < 0.06 ? kinds.number() : word()));
    if (list.length > 8 && random() < 0.6) list[3] += ',';
    return capital(list.join(' ')) + pick(['.', '.', '.', '?', '!']);
  };
  const title = (count) => Array.from({ length: count }, () => capital(word())).join(' ');
  const paragraph = (count) => Array.from({ length: count }, sentence).join(' ');
  return { random, int, pick, word, words, sentence, paragraph, title, capital, ...kinds };
}
