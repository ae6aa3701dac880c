import { useEffect } from 'preact/hooks';
import { texts } from '../text/language.ts';
import { announce } from './announce.ts';
import { storedSession } from './session.ts';

export function setTitle(...shown: string[]): void {
  const account = storedSession()?.account;
  document.title = [...shown, ...(account === undefined ? [] : [account]), texts.$transactions].join(' - ');
}

export const mainHeading = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('#main h1, #beside h1')].at(-1);

export function useHeading(...shown: string[]): void {
  useEffect(() => {
    setTitle(...shown);
    mainHeading()?.focus();
    return () => announce('');
  }, shown);
}
