export function linkOf(text: string, origin: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.origin !== origin) return undefined;
  const [, reference] = /^\/v1\/transactions\/([^/]+)/.exec(url.pathname) ?? [];
  if (reference !== undefined) return `#/transactions/${reference}`;
  return url.pathname === '/' && url.hash !== '' ? url.hash : undefined;
}

/** True if the text may contain a key or a session's code. Such a text must be in no address or request. */
export const isKey = (text: string): boolean => /tk_(live|operator)_|ts_(live|code)_|#session=/.test(text);

/** Removes surrounding spaces, and the invisible characters that documents and chats add. */
export const pasted = (text: string): string => text.replaceAll(/[\u200b\u2060\ufeff]/g, '').trim();
