import { Link, useNavigate } from '@tanstack/react-router';
import { AppWindow, Hand, type LucideIcon, MonitorPlay, Play, ShieldQuestion, Zap } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copyable.tsx';
import { Problem } from '../parts/problem.tsx';
import { useAction } from '../parts/use-action.ts';
import { DEMO_SCRIPTS, type DemoScript } from './scripts.ts';
import { startDemo } from './start-demo.ts';

/** Sessions to try. `first`: there is none yet, so these are what the page is about. */
export function Demos({ first }: { readonly first: boolean }): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className="demos">
      <h2 id={id}>{first ? 'Try it' : 'Try something'}</h2>
      <p className="quiet">
        Each of these follows a script in place of a language model, so none needs a network or a key. What
        they do is real: the shell, the desktop, the mouse and the keyboard. You can also{' '}
        <Link to="/scripts">write a script of your own</Link>.
      </p>
      <ul className="plain demo-list">
        {DEMO_SCRIPTS.map((script) => (
          <Demo key={script.name} script={script} />
        ))}
      </ul>
    </section>
  );
}

const ICONS: Readonly<Record<DemoScript['name'], LucideIcon>> = {
  desktop: MonitorPlay,
  web: AppWindow,
  approval: ShieldQuestion,
  takeover: Hand,
  crash: Zap,
};

function Demo({ script }: { readonly script: DemoScript }): ReactElement {
  const { name, title, about, line } = script;
  const Icon = ICONS[name];
  const navigate = useNavigate();
  const action = useAction();
  const start = (): void =>
    action.run(async () => {
      const { id } = await startDemo(script);
      await navigate({ to: '/sessions/$id', params: { id } });
    });
  return (
    <li className="card demo">
      <h3>
        <Icon size={17} aria-hidden />
        {title.replace('Demo: a', 'A')}
      </h3>
      <p>{about}</p>
      {line === undefined ? null : (
        <p className="line">
          <code>{line}</code>
          <CopyButton text={line} what="the line" />
        </p>
      )}
      <Problem text={action.problem} />
      <div className="buttons">
        <Button busy={action.busy} onClick={start} aria-label={`Start: ${title}`}>
          <Play size={14} aria-hidden />
          {action.busy ? 'Starting…' : 'Start'}
        </Button>
        <Link
          to="/scripts"
          search={{ demo: name }}
          className="button subtle"
          aria-label={`Open in the editor: ${title}`}
        >
          Open in the editor
        </Link>
      </div>
    </li>
  );
}
