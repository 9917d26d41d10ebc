/** A line of the menu that a click on the desktop opens. */
interface MenuEntry {
  readonly label: string;
  readonly command: string;
}

/** Writes openbox's `menu.xml` with these programs. */
export function openboxMenu(entries: readonly MenuEntry[]): string {
  const items = entries.map(
    ({ label, command }) =>
      `    <item label="${escape(label)}"><action name="Execute"><execute>${escape(command)}</execute></action></item>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<openbox_menu xmlns="http://openbox.org/3.4/menu">
  <menu id="root-menu" label="Programs">
${items.join('')}    <separator/>
    <menu id="client-list-combined-menu"/>
  </menu>
</openbox_menu>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const bind = (
  context: string,
  binds: readonly (readonly [button: string, event: string, actions: string])[],
): string =>
  `    <context name="${context}">\n${binds
    .map(
      ([button, event, actions]) =>
        `      <mousebind button="${button}" action="${event}">${actions}</mousebind>\n`,
    )
    .join('')}    </context>\n`;

const key = (keys: string, actions: string): string => `    <keybind key="${keys}">${actions}</keybind>\n`;

const FRONT = '<action name="Focus"/><action name="Raise"/><action name="Unshade"/>';
const edge = (name: string): string =>
  bind(name, [
    ['Left', 'Press', FRONT],
    ['Left', 'Drag', '<action name="Resize"/>'],
  ]);
const button = (name: string, action: string): string =>
  bind(name, [
    ['Left', 'Press', FRONT],
    ['Left', 'Click', `<action name="${action}"/>`],
  ]);
const PROGRAMS_MENU = '<action name="ShowMenu"><menu>root-menu</menu></action>';

/**
 * openbox's `rc.xml`: there is one desktop, new windows are in front and focused, nothing is animated, few keys are
 * reserved, and a click of any button on the desktop opens the program menu. What is not listed does nothing.
 */
export const OPENBOX_RC = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus>
    <focusNew>yes</focusNew>
    <followMouse>no</followMouse>
    <focusLast>yes</focusLast>
    <raiseOnFocus>no</raiseOnFocus>
  </focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme>
    <name>Clearlooks</name>
    <titleLayout>NLIMC</titleLayout>
    <keepBorder>yes</keepBorder>
    <animateIconify>no</animateIconify>
  </theme>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <resize><drawContents>yes</drawContents><popupShow>Never</popupShow></resize>
  <keyboard>
${key('A-F4', '<action name="Close"/>')}${key('A-Tab', '<action name="NextWindow"><finalactions><action name="Focus"/><action name="Raise"/><action name="Unshade"/></finalactions></action>')}${key('A-S-Tab', '<action name="PreviousWindow"><finalactions><action name="Focus"/><action name="Raise"/><action name="Unshade"/></finalactions></action>')}${key('A-space', '<action name="ShowMenu"><menu>client-menu</menu></action>')}  </keyboard>
  <mouse>
    <dragThreshold>4</dragThreshold>
    <doubleClickTime>400</doubleClickTime>
${bind('Frame', [
  ['A-Left', 'Press', FRONT],
  ['A-Left', 'Drag', '<action name="Move"/>'],
])}${bind('Titlebar', [
  ['Left', 'Drag', '<action name="Move"/>'],
  ['Left', 'DoubleClick', '<action name="ToggleMaximize"/>'],
])}${bind('Titlebar Top Right Bottom Left TLCorner TRCorner BRCorner BLCorner', [
  ['Left', 'Press', FRONT],
  ['Right', 'Press', `${FRONT}<action name="ShowMenu"><menu>client-menu</menu></action>`],
])}${['Top', 'Bottom', 'Left', 'Right', 'TLCorner', 'TRCorner', 'BLCorner', 'BRCorner'].map(edge).join('')}${bind(
  'Client',
  [
    ['Left', 'Press', FRONT],
    ['Middle', 'Press', FRONT],
    ['Right', 'Press', FRONT],
  ],
)}${bind('Icon', [['Left', 'Press', `${FRONT}<action name="ShowMenu"><menu>client-menu</menu></action>`]])}${button('Iconify', 'Iconify')}${button('Maximize', 'ToggleMaximize')}${button('Close', 'Close')}${bind(
  'Root',
  [
    ['Left', 'Press', PROGRAMS_MENU],
    ['Middle', 'Press', PROGRAMS_MENU],
    ['Right', 'Press', PROGRAMS_MENU],
  ],
)}  </mouse>
  <menu><file>menu.xml</file><hideDelay>0</hideDelay><submenuShowDelay>0</submenuShowDelay><manageDesktops>no</manageDesktops></menu>
</openbox_config>
`;
