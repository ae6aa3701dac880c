import { useEffect } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import {
  describeFilter,
  type KnownRoute,
  type LinkFault,
  listRoute,
  type MisspeltRoute,
} from '../state/route.ts';
import { setTitle } from '../state/title.ts';
import { navigate, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';

export function MisspeltScreen({ route: { faults, meant } }: { route: MisspeltRoute }) {
  const { zone } = useRoute();
  useEffect(() => {
    setTitle(texts.$misspeltLink);
  }, []);
  const button = (label: string, route: KnownRoute, isPrimary: boolean) => (
    <Button isPrimary={isPrimary} onClick={() => navigate(route)}>
      {label}
    </Button>
  );
  const isAll = meant === undefined || labelOf(meant, zone) === ALL;
  return (
    <main id="main">
      <div class="heading">
        <h1 tabIndex={-1}>{texts.$transactions}</h1>
      </div>
      <Panel
        icon="warning"
        title={texts.$misspeltTitle}
        isAlert
        actions={[!isAll && button(labelOf(meant, zone), meant, true), button(ALL, listRoute(), isAll)]}
      >
        {faults.length > 1 ? (
          <ul class="faults">
            {faults.map((fault) => (
              <li key={fault.part}>{faultText(fault)}</li>
            ))}
          </ul>
        ) : (
          faults.map((fault) => <p key={fault.part}>{faultText(fault)}</p>)
        )}
        <p>{texts.$misspeltText}</p>
      </Panel>
    </main>
  );
}

const faultText = ({ part, detail }: LinkFault) => (
  <>
    <code>{part}</code> {detail}
  </>
);

const ALL = texts.$allTransactions;

function labelOf(route: KnownRoute, zone: string): string {
  if (route.view === 'webhooks') return texts.$showWebhooks;
  if (route.view === 'search') return texts.$findText(route.text);
  if (route.view === 'transaction') return texts.$showTransaction(route.reference);
  const described = describeFilter(route.filter, zone);
  return described === '' ? ALL : texts.$showList(described);
}
