import { h } from 'preact';
import type { FileFormat, FileOrder } from '../state/file-order.ts';
import { Icon } from './icon.ts';

const FORMAT_NAMES: readonly [FileFormat, string][] = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
];

interface SaveButtonsProps {
  order: Omit<FileOrder, 'format'>;
  /** Undefined while a file is being saved. */
  onSave: ((order: FileOrder) => void) | undefined;
  /** What the buttons say before the format. */
  label: string;
  class?: string;
}

/** A button for each format of a file. */
export function SaveButtons({ order, onSave, label, class: look = 'button' }: SaveButtonsProps) {
  return FORMAT_NAMES.map(([format, name]) =>
    h(
      'button',
      {
        type: 'button',
        class: look,
        key: format,
        'aria-disabled': onSave === undefined,
        onClick: () => onSave?.({ ...order, format }),
      },
      look === 'button' && h(Icon, { name: 'download' }),
      `${label} as ${name}`,
    ),
  );
}
