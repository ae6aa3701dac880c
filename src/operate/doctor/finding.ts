/** `unknown` is what cannot be seen from where the command runs. */
type FindingStatus = 'ok' | 'warning' | 'wrong' | 'unknown';

/** What a check of the set-up found. */
export interface Finding {
  check: string;
  status: FindingStatus;
  found: string;
  /** What to do; null if there is nothing to do. */
  todo: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, todo: null });

const toDo =
  (status: FindingStatus) =>
  (check: string, found: string, todo: string): Finding => ({ check, status, found, todo });

export const warning = toDo('warning');
export const wrong = toDo('wrong');
export const unknown = toDo('unknown');
