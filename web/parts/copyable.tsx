import { Check, Copy } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { announce } from './announce.tsx';
import { toastError } from './toast.ts';

const SHOWN_MS = 1500;

interface CopyButtonProps {
  readonly text: string | (() => string);
  /** What is copied, e.g. `the id`. */
  readonly what?: string;
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, what = 'text' }: CopyButtonProps): ReactElement {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await writeClipboard(typeof text === 'string' ? text : text());
      setCopied(true);
      announce('Copied');
    } catch (error) {
      toastError(error);
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      className="copy"
      aria-label={`Copy ${what}`}
      title={copied ? 'Copied' : `Copy ${what}`}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void copy();
      }}
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}

/** An id in full, or its end where there is little room, with a button that copies it. */
export function CopyableId({ id, short }: { readonly id: string; readonly short?: boolean }): ReactElement {
  const shown = short === true && id.length > 16 ? `…${id.slice(-10)}` : id;
  return (
    <span className="copyable">
      <code title={id}>{shown}</code>
      <CopyButton text={id} what={id} />
    </span>
  );
}

/** The clipboard of pages without HTTPS is the old one. */
async function writeClipboard(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'hidden';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!done) throw new Error('The browser does not let this page copy.');
  return undefined;
}
