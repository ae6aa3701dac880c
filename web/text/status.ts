/** A status in words: the service's name with a capital and without underscores. */
export function statusText(status: string): string {
  return capital(status.replaceAll('_', ' '));
}

/** A text whose first character is a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
