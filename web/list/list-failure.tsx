import { Button } from '../parts/button.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import type { Failure } from '../state/failure.ts';
import { type Filter, listRoute } from '../state/route.ts';
import type { Retry } from '../state/use-load.ts';
import { navigate } from '../state/use-route.ts';
import { texts } from '../text/language.ts';

interface ListFailureProps {
  failure: Failure;
  retry: Retry | undefined;
  filter: Filter;
  onRetry(): void;
}

export function ListFailure({ failure, retry, filter, onRetry }: ListFailureProps) {
  const button = (label: string, onClick: () => void, isPrimary = false) => (
    <Button isPrimary={isPrimary} onClick={onClick}>
      {label}
    </Button>
  );
  const { kind, freshCursor } = failure;
  if (kind === 'cursor') {
    const newest = button(texts.$newestPage, () => navigate(listRoute(filter)), freshCursor === undefined);
    const resume =
      freshCursor && button(texts.$continueList, () => navigate(listRoute(filter, freshCursor)), true);
    return <FailurePanel failure={failure} retry={retry} actions={[resume, newest]} />;
  }
  const actions =
    kind === 'refused' ? button(texts.$clearFilters, () => navigate(listRoute()), true) : undefined;
  return <FailurePanel failure={failure} retry={retry} onRetry={onRetry} actions={actions} />;
}
