import { h } from 'preact';
import type { Failure } from '../state/failure.ts';
import { type Filter, listRoute } from '../state/route.ts';
import type { Retry } from '../state/use-load.ts';
import { navigate } from '../state/use-route.ts';
import { FailurePanel } from './failure-panel.ts';

interface ListFailureProps {
  failure: Failure;
  retry: Retry | undefined;
  filter: Filter;
  onRetry(): void;
}

/** A list that could not be loaded, with buttons for what the user can do. */
export function ListFailure({ failure, retry, filter, onRetry }: ListFailureProps) {
  const button = (label: string, onClick: () => void, isPrimary = false) =>
    h('button', { type: 'button', class: isPrimary ? 'button button-primary' : 'button', onClick }, label);
  const { kind, freshCursor } = failure;
  if (kind === 'cursor') {
    const newest = button('Newest page', () => navigate(listRoute(filter)), freshCursor === undefined);
    const resume =
      freshCursor && button('Continue the list', () => navigate(listRoute(filter, freshCursor)), true);
    return h(FailurePanel, { failure, retry, actions: [resume, newest] });
  }
  const actions =
    kind === 'refused' ? button('Clear the filters', () => navigate(listRoute()), true) : undefined;
  return h(FailurePanel, { failure, retry, onRetry, actions });
}
