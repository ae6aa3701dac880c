/** A status in words: as the service names it, with a capital and without underscores. */
export function statusText(status: string): string {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The statuses whose meaning is known here. Others are shown plainly, with the mark of none of these. */
export function statusMark(status: string): 'completed' | 'pending' | 'other' {
  return status === 'completed' || status === 'pending' ? status : 'other';
}
