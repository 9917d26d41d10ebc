import { Link, useRouterState } from '@tanstack/react-router';
import { BookOpen, Keyboard, Menu, Search } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../parts/button.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { MOD } from '../parts/keys.ts';
import { overlay } from './overlay.ts';
import type { Room } from './room.ts';
import { ROOMS } from './rooms.ts';
import { ThemeSwitch } from './theme-switch.tsx';

export function Sidebar(): ReactElement {
  return (
    <header className="sidebar">
      <Brand />
      <Button className="palette-opener" onClick={() => overlay.set('palette')}>
        <Search size={15} aria-hidden />
        Search
        <kbd>{MOD} K</kbd>
      </Button>
      <RoomLinks />
      <SidebarEnd />
    </header>
  );
}

export function SidebarEnd(): ReactElement {
  return (
    <div className="sidebar-end">
      <ThemeSwitch />
      <IconButton icon={Keyboard} label="Keyboard shortcuts" onClick={() => overlay.set('keys')} />
      <a className="button icon subtle" href="/docs" title="API" aria-label="API documentation">
        <BookOpen size={16} aria-hidden />
      </a>
    </div>
  );
}

/** The bar above the page where there is no room for a sidebar. */
export function TopBar(): ReactElement {
  return (
    <header className="topbar">
      <Brand />
      <IconButton icon={Search} label="Search" onClick={() => overlay.set('palette')} />
      <IconButton icon={Menu} label="Menu" onClick={() => overlay.set('navigation')} />
    </header>
  );
}

function Brand(): ReactElement {
  return (
    <Link to="/" className="brand">
      <img src="/static/icon.svg" alt="" width="24" height="24" />
      Steadyhand
    </Link>
  );
}

export function RoomLinks({ onFollow }: { readonly onFollow?: () => void }): ReactElement {
  const place = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <nav aria-label="Rooms">
      <ul className="plain rooms">
        {ROOMS.map((room) => {
          const { navigation } = room;
          if (navigation === undefined) return null;
          const { to, label, icon: Icon } = navigation;
          return (
            <li key={room.name}>
              <Link to={to} aria-current={isIn(room, place) ? 'page' : undefined} onClick={onFollow}>
                <Icon size={16} aria-hidden />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function isIn({ navigation, within = [] }: Room, place: string): boolean {
  const beginnings = [...within, ...(navigation === undefined ? [] : [navigation.to])];
  return beginnings.some((to) => place === to || (to !== '/' && place.startsWith(`${to}/`)));
}
