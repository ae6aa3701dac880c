import type { Failure } from '../state/failure.ts';
import type { Retry } from '../state/use-load.ts';
import { Button } from './button.tsx';
import { FailureText, RetryNotice } from './failure-panel.tsx';

interface PartFailureProps {
  /** What is missing, because of a title. */
  missing(title: string): string;
  /** The label of the button that loads it again. */
  again: string;
  failure: Failure;
  retry: Retry | undefined;
  onRetry(): void;
}

/** A part of a screen that could not be loaded, while the rest is shown. */
export const PartFailure = ({ missing, again, failure, retry, onRetry }: PartFailureProps) => (
  <>
    <p>{missing(failure.title)}</p>
    <FailureText failure={failure} />
    {retry && <RetryNotice retry={retry} />}
    <Button onClick={onRetry}>{again}</Button>
  </>
);
