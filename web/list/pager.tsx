import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Select } from '../parts/select.tsx';
import { chooseRows, ROWS, rowsPerPage } from '../state/rows-per-page.ts';
import { counted, number } from '../text/count.ts';
import { texts } from '../text/language.ts';

interface PagerProps {
  /** Undefined if the page was opened by its address, because an address does not contain page numbers. */
  pageNumber: number | undefined;
  isLoading: boolean;
  count: number;
  total: number | undefined;
  onNewest(): void;
  onNewer: (() => void) | undefined;
  onOlder: (() => void) | undefined;
}

/** Uses aria-disabled, because a button with `disabled` would lose the keyboard focus. */
export function Pager({ pageNumber, isLoading, count, total, onNewest, onNewer, onOlder }: PagerProps) {
  const button = (label: string, action: (() => void) | undefined, icon: 'left' | 'right' | undefined) => (
    <Button aria-disabled={action === undefined} onClick={action ?? (() => {})}>
      {icon === 'left' && <Icon name={icon} />}
      {label}
      {icon === 'right' && <Icon name={icon} />}
    </Button>
  );
  return (
    <nav class="pager" aria-label={texts.$pages}>
      <span class="pager-place">
        {isLoading ? texts.$loadingPage(pageNumber) : texts.$page(pageNumber, onOlder === undefined)}
      </span>
      <span class="pager-count">{countText(count, total)}</span>
      <label class="pager-rows" for="rows">
        {texts.$rows}{' '}
        <Select
          id="rows"
          value={String(rowsPerPage.use())}
          choices={ROWS.map((rows) => [String(rows)])}
          onChoose={(rows) => {
            chooseRows(Number(rows));
            onNewest();
          }}
        />
      </label>
      {button(texts.$newest, onNewest, undefined)}
      {button(texts.$newer, onNewer, 'left')}
      {button(texts.$older, onOlder, 'right')}
    </nav>
  );
}

export const countText = (count: number, total: number | undefined) =>
  total === undefined
    ? counted(count, texts.$transaction)
    : texts.$partOf(number(count), counted(total, texts.$transaction));
