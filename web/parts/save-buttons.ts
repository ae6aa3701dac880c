import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { FileFormat, FileOrder } from '../state/file-order.ts';
import { hasDays, listRoute } from '../state/route.ts';
import { isPaid } from '../state/statuses.ts';
import { Icon } from './icon.ts';

const FORMAT_NAMES: readonly [FileFormat, string][] = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
];

/** Where amounts have a decimal comma, a spreadsheet misreads a CSV file, whose lines are divided by commas. */
const misreadsCsv = () => !new Intl.NumberFormat().format(1.5).includes('.');

interface SaveButtonsProps {
  order: Omit<FileOrder, 'format'>;
  /** Undefined while a file is being saved. */
  onSave: ((order: FileOrder) => void) | undefined;
}

/** A button for each format of a file, the one that opens in a spreadsheet first, and whether its days are those of creation or payment. */
export function SaveButtons({ order, onSave }: SaveButtonsProps) {
  const [isByPayment, setIsByPayment] = useState(false);
  const isMisread = misreadsCsv();
  const { status } = order.filter;
  // What is never paid has no day of payment.
  const days = hasDays(listRoute(order.filter)) && (status === undefined || isPaid(status));
  const formats = isMisread ? FORMAT_NAMES.toReversed() : FORMAT_NAMES;
  return [
    days &&
      h(
        'label',
        { class: 'file-days', key: 'days' },
        'File by ',
        h(
          'select',
          {
            value: String(isByPayment),
            onChange: (event: Event) =>
              setIsByPayment((event.currentTarget as HTMLSelectElement).value === 'true'),
          },
          h('option', { value: 'false' }, 'day of creation'),
          h('option', { value: 'true' }, 'day of payment'),
        ),
      ),
    formats.map(([format, name]) =>
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          key: format,
          'aria-disabled': onSave === undefined,
          onClick: () => onSave?.({ ...order, isByPayment: days && isByPayment, format }),
        },
        h(Icon, { name: 'download' }),
        `Save as ${name}`,
      ),
    ),
    isMisread &&
      h(
        'span',
        { class: 'help', key: 'reason' },
        'CSV is for programs: your spreadsheet expects decimal commas.',
      ),
  ];
}
