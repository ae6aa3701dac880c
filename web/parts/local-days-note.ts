import { h } from 'preact';
import type { FileOrder } from '../state/file-order.ts';
import type { Filter } from '../state/route.ts';
import { utcDay } from '../text/date-range.ts';
import { localMonth } from '../text/local-month.ts';
import { localZoneName } from '../text/time.ts';
import { SaveButtons } from './save-buttons.ts';

interface LocalDaysProps {
  filter: Filter;
  /** Undefined while a file is being saved. */
  onSave: ((order: FileOrder) => void) | undefined;
}

/** Beside local times: the filters have UTC days. A month can be saved as it is in the local zone. */
export function LocalDaysNote({ filter, onSave }: LocalDaysProps) {
  const zone = localZoneName();
  const month = localMonth(filter.from, filter.to, zone, utcDay(Date.now()));
  return h(
    'div',
    { class: 'local-days', role: 'note' },
    h('p', null, `Times are in ${zone}. The days of the filters, totals and chart are UTC days.`),
    month &&
      h(
        'p',
        { class: 'local-days-files' },
        h(SaveButtons, {
          order: { filter, month },
          onSave,
          label: `Save ${month.label}`,
          class: 'link',
        }),
      ),
  );
}
