import { ArchivedOfAccount } from '../parts/archived-note.tsx';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import { totalCount } from '../parts/totals-table.tsx';
import { EQUALITIES } from '../state/filters.ts';
import {
  describeDays,
  describeFilter,
  type Filter,
  type FilterName,
  isByPayment,
  isFiltered,
  listRoute,
  queryOf,
} from '../state/route.ts';
import { useApi } from '../state/use-api.ts';
import { useLoad } from '../state/use-load.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { counted } from '../text/count.ts';
import { texts } from '../text/language.ts';

interface EmptyPanelProps {
  filter: Filter;
  isFirstPage: boolean;
  hasNote: boolean;
}

export function EmptyPanel({ filter, isFirstPage, hasNote }: EmptyPanelProps) {
  const { zone } = useRoute();
  if (!isFirstPage) {
    return (
      <Panel icon="empty" title={texts.$noOlder} actions={showButton(texts.$newestPage, filter)}>
        {!hasNote && <ArchivedOfAccount />}
      </Panel>
    );
  }
  if (!isFiltered(filter)) {
    return (
      <Panel icon="empty" title={texts.$noneYet}>
        <p>{texts.$noneYetText}</p>
        {!hasNote && <ArchivedOfAccount />}
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
        <Suggestions filter={filter} />,
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

const MAX_SUGGESTIONS = 2;

function Suggestions({ filter }: { filter: Filter }) {
  const api = useApi();
  const { zone, visit } = useRoute();
  const { value: found = [] } = useLoad(`${visit} ${zone} ${JSON.stringify(filter)}`, async (signal) => {
    const wider = [...EQUALITIES.map((name) => [name]), ['from', 'to', 'by'] as const]
      .map((names) => ({
        text:
          names.length === 1
            ? describeFilter({ [names[0] as FilterName]: filter[names[0] as FilterName] ?? '' }, zone)
            : describeDays(filter, zone),
        left: Object.fromEntries(
          Object.entries(filter).filter(([name]) => !names.some((one) => one === name)),
        ) as Filter,
      }))
      // The service refuses the totals of a merchantReference if too many transactions have it.
      .filter(({ text, left }) => text && isFiltered(left) && left.merchantReference === undefined);
    const counted = await Promise.all(
      wider.map(async (one) => ({
        ...one,
        count: totalCount((await api.totals(queryOf(one.left, zone), signal)).data),
      })),
    );
    return counted
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count)
      .slice(0, MAX_SUGGESTIONS);
  });
  return (
    <>
      {found.map(({ text, left, count }) => (
        <Button key={text} onClick={() => navigate(listRoute(left))}>
          {texts.$without(text as string, counted(count, texts.$transaction))}
        </Button>
      ))}
    </>
  );
}
