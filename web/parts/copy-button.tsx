import { useEffect, useState } from 'preact/hooks';
import { announce } from '../state/announce.ts';
import { texts } from '../text/language.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1500;

interface CopyButtonProps {
  text: string;
  name: string;
}

export function CopyButton({ text, name }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    const done = await copyText(text);
    setIsCopied(done);
    announce(done ? texts.$copiedOf(name) : texts.$notCopied(name));
  };
  return (
    <Button
      class={isCopied ? 'copy copy-done' : 'copy'}
      aria-label={texts.$copyOf(name)}
      title={isCopied ? texts.$copied : texts.$copy}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
    </Button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain HTTP, browsers offer only this older way to copy.
    const field = document.createElement('textarea');
    const { activeElement } = document;
    field.value = text;
    field.className = 'visually-hidden';
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
    return done;
  }
}
