import { useEffect } from 'preact/hooks';
import { texts } from '../text/language.ts';
import { announce } from './announce.ts';
import { storedSession } from './session.ts';

/** The title of the window: the view and the account. */
export function setTitle(...shown: string[]): void {
  const account = storedSession()?.account;
  document.title = [...shown, ...(account === undefined ? [] : [account]), texts.$transactions].join(' - ');
}

/** The heading of the screen, or of what is shown beside it. */
export const mainHeading = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('#main h1, #beside h1')].at(-1);

/** Sets the title and moves the focus to the heading of a screen, whose announcement ends with it. */
export function useHeading(...shown: string[]): void {
  useEffect(() => {
    setTitle(...shown);
    mainHeading()?.focus();
    return () => announce('');
  }, shown);
}
