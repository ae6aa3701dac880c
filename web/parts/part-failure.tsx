import type { Failure } from '../state/failure.ts';
import type { Retry } from '../state/use-load.ts';
import { Button } from './button.tsx';
import { FailureText } from './failure-panel.tsx';
import { RetryNotice } from './retry-notice.tsx';

interface PartFailureProps {
  /** What is missing, such as "changes". */
  what: string;
  failure: Failure;
  retry: Retry | undefined;
  onRetry(): void;
}

/** A part of a screen that could not be loaded, while the rest is shown. */
export const PartFailure = ({ what, failure, retry, onRetry }: PartFailureProps) => (
  <>
    <p>
      The {what} could not be loaded: {failure.title}
    </p>
    <FailureText failure={failure} />
    {retry && <RetryNotice retry={retry} />}
    <Button onClick={onRetry}>Load the {what} again</Button>
  </>
);
