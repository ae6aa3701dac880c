import { describeFilter, type Filter, isByPayment, isFiltered, listRoute } from '../state/route.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { Button } from './button.tsx';
import { Panel } from './panel.tsx';

interface EmptyPanelProps {
  filter: Filter;
  isFirstPage: boolean;
}

/** An empty list, with its likely reason. */
export function EmptyPanel({ filter, isFirstPage }: EmptyPanelProps) {
  const { zone } = useRoute();
  if (!isFirstPage) {
    return <Panel icon="empty" title="No older transactions" actions={showButton('Newest page', filter)} />;
  }
  if (!isFiltered(filter)) {
    return (
      <Panel icon="empty" title="No transactions yet">
        <p>
          No transaction is recorded for the account of your API key. If you expected some, check that the key
          belongs to the right account.
        </p>
      </Panel>
    );
  }
  const { merchantReference } = filter;
  const trimmed = merchantReference?.trim() ?? '';
  const hasSpaces = trimmed !== '' && trimmed !== merchantReference;
  return (
    <Panel
      icon="empty"
      title="No transactions match"
      actions={[
        hasSpaces && showButton(`Find ${trimmed}`, { ...filter, merchantReference: trimmed }),
        showButton('Clear the filters', {}),
      ]}
    >
      <p>
        No transaction of this account matches these filters: {describeFilter(filter, zone)}.
        {merchantReference && ' Your reference must be complete, with its capitals and spaces.'}
        {hasSpaces && ' This one begins or ends with a space.'}
        {(filter.from || filter.to) &&
          ` From and To are days of ${zone}, and refer to the time of ${isByPayment(filter) ? 'payment' : 'creation'}.`}
      </p>
    </Panel>
  );
}

const showButton = (label: string, filter: Filter) => (
  <Button onClick={() => navigate(listRoute(filter))}>{label}</Button>
);
