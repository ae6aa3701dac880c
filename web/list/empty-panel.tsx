import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import { describeFilter, type Filter, isByPayment, isFiltered, listRoute } from '../state/route.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';

interface EmptyPanelProps {
  filter: Filter;
  isFirstPage: boolean;
}

/** An empty list, with its likely reason. */
export function EmptyPanel({ filter, isFirstPage }: EmptyPanelProps) {
  const { zone } = useRoute();
  if (!isFirstPage) {
    return <Panel icon="empty" title={texts.$noOlder} actions={showButton(texts.$newestPage, filter)} />;
  }
  if (!isFiltered(filter)) {
    return (
      <Panel icon="empty" title={texts.$noneYet}>
        <p>{texts.$noneYetText}</p>
      </Panel>
    );
  }
  const { merchantReference } = filter;
  const trimmed = merchantReference?.trim() ?? '';
  const hasSpaces = trimmed !== '' && trimmed !== merchantReference;
  return (
    <Panel
      icon="empty"
      title={texts.$noMatch}
      actions={[
        hasSpaces && showButton(texts.$findText(trimmed), { ...filter, merchantReference: trimmed }),
        showButton(texts.$clearFilters, {}),
      ]}
    >
      <p>
        {texts.$noMatchText(describeFilter(filter, zone))}
        {merchantReference && texts.$completeReference}
        {hasSpaces && texts.$hasSpaces}
        {(filter.from || filter.to) && texts.$daysAre(zone, isByPayment(filter))}
      </p>
    </Panel>
  );
}

const showButton = (label: string, filter: Filter) => (
  <Button onClick={() => navigate(listRoute(filter))}>{label}</Button>
);
