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
  const button = (label: string, onClick: () => void) => (
    <Button isPrimary onClick={onClick}>
      {label}
    </Button>
  );
  if (failure.kind === 'cursor') {
    const newest = button(texts.$newestPage, () => navigate(listRoute(filter)));
    return <FailurePanel failure={failure} retry={retry} actions={newest} />;
  }
  const actions =
    failure.kind === 'refused' ? button(texts.$clearFilters, () => navigate(listRoute())) : undefined;
  return <FailurePanel failure={failure} retry={retry} onRetry={onRetry} actions={actions} />;
}
