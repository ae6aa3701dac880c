/** `unknown`: the check cannot be made from where the command runs. */
type FindingStatus = 'ok' | 'warning' | 'wrong' | 'unknown';

export interface Finding {
  check: string;
  status: FindingStatus;
  found: string;
  todo: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, todo: null });

const toDo =
  (status: FindingStatus) =>
  (check: string, found: string, todo: string): Finding => ({ check, status, found, todo });

export const warning = toDo('warning');
export const wrong = toDo('wrong');
export const unknown = toDo('unknown');
