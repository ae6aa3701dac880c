import { useState } from 'preact/hooks';
import type { FileFormat, FileOrder } from '../state/file-order.ts';
import { hasDays, listRoute } from '../state/route.ts';
import { isPaid } from '../state/statuses.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

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
  return (
    <>
      {days && (
        <label class="file-days">
          File by{' '}
          <select
            value={String(isByPayment)}
            onChange={(event: Event) =>
              setIsByPayment((event.currentTarget as HTMLSelectElement).value === 'true')
            }
          >
            <option value="false">day of creation</option>
            <option value="true">day of payment</option>
          </select>
        </label>
      )}
      {formats.map(([format, name]) => (
        <Button
          key={format}
          aria-disabled={onSave === undefined}
          onClick={() => onSave?.({ ...order, isByPayment: days && isByPayment, format })}
        >
          <Icon name="download" />
          Save as {name}
        </Button>
      ))}
      {isMisread && <span class="help">CSV is for programs: your spreadsheet expects decimal commas.</span>}
    </>
  );
}
