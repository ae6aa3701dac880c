import { Button } from '../parts/button.tsx';
import { Popover } from '../parts/popover.tsx';
import type { FileFormat, FileOrder } from '../state/file-order.ts';
import { texts } from '../text/language.ts';

const FORMAT_NAMES: readonly [FileFormat, string][] = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
];

/** In languages with a decimal comma, spreadsheets misread the commas between the columns of a CSV file. */
const misreadsCsv = () => !new Intl.NumberFormat().format(1.5).includes('.');

interface ExportMenuProps {
  order: Omit<FileOrder, 'format'>;
  onSave: ((order: FileOrder) => void) | undefined;
}

export function ExportMenu({ order, onSave }: ExportMenuProps) {
  const isMisread = misreadsCsv();
  const formats = isMisread ? FORMAT_NAMES.toReversed() : FORMAT_NAMES;
  return (
    <Popover
      id="export"
      class="button button-small"
      label={texts.$export}
      name={texts.$export}
      isDisabled={onSave === undefined}
    >
      <div class="choices">
        {formats.map(([format, name]) => (
          <Button
            key={format}
            class="choice"
            popovertarget="export"
            popovertargetaction="hide"
            onClick={() => {
              onSave?.({ ...order, format });
              // The progress is shown at the top.
              scrollTo(0, 0);
            }}
          >
            {texts.$saveAs(name)}
          </Button>
        ))}
      </div>
      {isMisread && <p class="help">{texts.$csvForPrograms}</p>}
    </Popover>
  );
}
