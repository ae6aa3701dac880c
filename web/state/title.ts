import { storedSession } from './session.ts';

/** The title of the window: what is shown, and whose it is. */
export function setTitle(...shown: string[]): void {
  const account = storedSession()?.account;
  document.title = [...shown, ...(account === undefined ? [] : [account]), 'Transactions'].join(' - ');
}
