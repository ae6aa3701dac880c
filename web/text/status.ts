/** A status in words: the service's name with a capital and without underscores. */
export function statusText(status: string): string {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The mark of a status: only two statuses have their own. */
export function statusMark(status: string): 'completed' | 'pending' | 'other' {
  return status === 'completed' || status === 'pending' ? status : 'other';
}
