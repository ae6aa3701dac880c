import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Transaction } from '../state/api.ts';
import { texts } from '../text/language.ts';
import { Button } from './button.tsx';
import { ColumnsChoice } from './columns-choice.tsx';

interface TableBarProps {
  transactions: readonly Transaction[];
  /** A button after the others. */
  action?: ComponentChildren;
  children?: ComponentChildren;
}

export function TableBar({ transactions, action, children }: TableBarProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <>
      <div class="table-bar">
        {children}
        <Button
          class="button button-small"
          aria-expanded={isChoosing}
          aria-controls="columns"
          onClick={() => setIsChoosing(!isChoosing)}
        >
          {texts.$columns}
        </Button>
        {action}
      </div>
      {isChoosing && <ColumnsChoice transactions={transactions} />}
    </>
  );
}
