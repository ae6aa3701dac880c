import { texts } from '../text/language.ts';
import { readTab, removeTab, writeTab } from './storage.ts';

const LINK = 'transactions.link';
/** A sign-in at the platform takes less time than this. */
const KEPT_MS = 30 * 60_000;

export const returnUrl: string | null =
  document.querySelector<HTMLMetaElement>('meta[name=session-return-url]')?.content || null;

export const platform = returnUrl === null ? texts.$yourPlatform : new URL(returnUrl).host;

export function keepAddress(): void {
  if (location.hash !== '') writeTab(LINK, `${Date.now()} ${location.hash}`);
}

export function takeKeptAddress(): string | undefined {
  const [, atMs, fragment] = /^(\d+) (#.*)$/s.exec(readTab(LINK) ?? '') ?? [];
  removeTab(LINK);
  return Date.now() - Number(atMs) < KEPT_MS ? fragment : undefined;
}
