import { useEffect } from 'preact/hooks';
import { texts } from '../text/language.ts';
import { announce } from './announce.ts';
import { storedSession } from './session.ts';

/** The title of the window: the view and the account. */
export function setTitle(...shown: string[]): void {
  const account = storedSession()?.account;
  document.title = [...shown, ...(account === undefined ? [] : [account]), texts.$transactions].join(' - ');
}

/** Sets the title and moves the focus to the heading of a screen, whose announcement ends with it. */
export function useHeading(...shown: string[]): void {
  useEffect(() => {
    setTitle(...shown);
    document.querySelector<HTMLElement>('#main h1')?.focus();
    return () => announce('');
  }, shown);
}
