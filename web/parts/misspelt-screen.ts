import { h } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  describeFilter,
  type KnownRoute,
  type LinkFault,
  listRoute,
  type MisspeltRoute,
} from '../state/route.ts';
import { setTitle } from '../state/title.ts';
import { navigate } from '../state/use-route.ts';
import { Panel } from './panel.ts';

/** An address that the page does not understand, with each fault and a button to the probable address. */
export function MisspeltScreen({ route: { faults, meant }, zone }: { route: MisspeltRoute; zone: string }) {
  useEffect(() => {
    setTitle('Misspelt link');
  }, []);
  const button = (label: string, route: KnownRoute, isPrimary: boolean) =>
    h(
      'button',
      {
        type: 'button',
        class: isPrimary ? 'button button-primary' : 'button',
        onClick: () => navigate(route),
      },
      label,
    );
  const isAll = meant === undefined || labelOf(meant, zone) === ALL;
  return h(
    'main',
    { id: 'main' },
    h('div', { class: 'heading' }, h('h1', { tabIndex: -1 }, 'Transactions')),
    h(
      Panel,
      {
        icon: 'warning',
        title: 'This link is misspelt',
        isAlert: true,
        actions: [!isAll && button(labelOf(meant, zone), meant, true), button(ALL, listRoute(), isAll)],
      },
      faults.length > 1
        ? h(
            'ul',
            { class: 'faults' },
            faults.map((fault) => h('li', { key: fault.part }, faultText(fault))),
          )
        : faults.map((fault) => h('p', { key: fault.part }, faultText(fault))),
      h(
        'p',
        null,
        'Nothing was loaded, because a misspelt link could show the wrong list. Correct the link, or use a button below.',
      ),
    ),
  );
}

const faultText = ({ part, detail }: LinkFault) => [h('code', null, part), ' ', detail];

const ALL = 'All transactions';

function labelOf(route: KnownRoute, zone: string): string {
  if (route.view === 'webhooks') return 'Show the webhooks';
  if (route.view === 'search') return `Find ${route.text}`;
  if (route.view === 'transaction') return `Show transaction ${route.reference}`;
  const described = describeFilter(route.filter, zone);
  return described === '' ? ALL : `Show ${described}`;
}
