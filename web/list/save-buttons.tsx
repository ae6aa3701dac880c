import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import type { FileFormat, FileOrder } from '../state/file-order.ts';
import { texts } from '../text/language.ts';

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

/** A button for each format of a file, the one that opens in a spreadsheet first. */
export function SaveButtons({ order, onSave }: SaveButtonsProps) {
  const isMisread = misreadsCsv();
  const formats = isMisread ? FORMAT_NAMES.toReversed() : FORMAT_NAMES;
  return (
    <>
      {formats.map(([format, name]) => (
        <Button
          key={format}
          aria-disabled={onSave === undefined}
          onClick={() => onSave?.({ ...order, format })}
        >
          <Icon name="download" />
          {texts.$saveAs(name)}
        </Button>
      ))}
      {isMisread && <span class="help">{texts.$csvForPrograms}</span>}
    </>
  );
}
