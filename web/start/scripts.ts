/** A session that runs without a model, to try the product. */
export interface DemoScript {
  readonly name: 'desktop' | 'web' | 'approval' | 'takeover' | 'crash';
  readonly title: string;
  /** What it shows, in a sentence or two. */
  readonly about: string;
  /** A line for the terminal that belongs to it. */
  readonly line?: string;
  /** In the language of the model `script`: see docs/script.md. */
  readonly steps: string;
  /** The session's action policy. */
  readonly policy?: {
    readonly rules: {
      readonly name: string;
      readonly match: { readonly command: string };
      readonly decision: 'ask';
    }[];
  };
}

const DESKTOP = `- bash: printf 'Shopping list\\n\\n- bread\\n- milk\\n' > list.txt
- edit: {command: str_replace, path: /home/agent/list.txt, old_str: milk, new_str: oat milk}
- bash: mousepad list.txt >/dev/null 2>&1 & timeout 20 xdotool search --sync --onlyvisible --name list.txt
- computer: {action: screenshot}
- key: ctrl+End
- type: "- coffee"
- key: ctrl+s
- computer: {action: screenshot}
- bash: cat list.txt
- say: The list is written, edited and saved.
`;

const WEB_PAGE = `- bash: |
    cat > order.html <<'HTML'
    <!doctype html><title>Order</title>
    <body style="font: 22px sans-serif; margin: 48px">
    <h1>Order tea</h1>
    <label>Your name <input id="name" style="font: inherit; width: 320px"></label>
    <p><button style="font: inherit; padding: 8px 24px" onclick="document.querySelector('output').textContent =
      'Thank you, ' + document.querySelector('#name').value + '. The tea is on its way.'">Place order</button></p>
    <output></output>
    HTML
- bash: chromium --new-window file:///home/agent/order.html >/dev/null 2>&1 &
- wait_for: {text: Place order, timeout: 60}
- type_into: {field: Your name, text: Ada}
- click: Place order
- wait_for: Thank you, Ada
- say: The order is placed, and the page says thank you.
`;

const APPROVAL = `- bash: mkdir -p reports && echo draft > reports/old.txt && echo final > reports/new.txt && ls reports
- bash: rm reports/old.txt
- bash: ls reports
- say: The old report is gone, because you allowed it.
`;

const TAKEOVER = `- bash: touch guest-book.txt
- bash: mousepad guest-book.txt >/dev/null 2>&1 & timeout 20 xdotool search --sync --onlyvisible --name guest-book
- together:
    - say: "It is your turn: press Watch live, then Take over. Write the word hello into the editor, and hand back."
    - key: ctrl+End
- wait_for: {text: hello, timeout: 300}
- say: Thank you. I read your hello, and I have the mouse and the keyboard again.
`;

const CRASH = `- bash: echo 'step 1' >> steps.txt; sleep 6
- bash: echo 'step 2' >> steps.txt; sleep 6
- bash: echo 'step 3' >> steps.txt; sleep 6
- bash: echo 'step 4' >> steps.txt; sleep 6
- bash: echo 'step 5' >> steps.txt; sleep 6
- bash: cat steps.txt
- say: Five steps, and each of them was done once, whatever happened to the server.
`;

/** The demos of the start page, in their order. */
export const DEMO_SCRIPTS: readonly DemoScript[] = [
  {
    name: 'desktop',
    title: 'Demo: a shopping list',
    about: 'Writes a file with bash, edits it, opens it in an editor on a real desktop, types and saves.',
    steps: DESKTOP,
  },
  {
    name: 'web',
    title: 'Demo: a web page',
    about:
      'Opens a form in the browser, finds the field and the button by reading the screen, and orders tea.',
    steps: WEB_PAGE,
  },
  {
    name: 'approval',
    title: 'Demo: an approval',
    about: 'Wants to delete a file. A policy has a person asked first: the session waits for your yes or no.',
    steps: APPROVAL,
    policy: { rules: [{ name: 'ask before deleting', match: { command: '^rm\\b' }, decision: 'ask' }] },
  },
  {
    name: 'takeover',
    title: 'Demo: a takeover',
    about: 'Waits for you to take its mouse and keyboard, to write a word into its editor, and to hand back.',
    steps: TAKEOVER,
  },
  {
    name: 'crash',
    title: 'Demo: a crash',
    about:
      'Takes five slow steps. Kill the server in the middle and start it again: no step is lost or done twice.',
    line: 'kill -9 $(cat data/server.pid); npm start',
    steps: CRASH,
  },
];
