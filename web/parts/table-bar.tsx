import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Transaction } from '../state/api.ts';
import { texts } from '../text/language.ts';
import { Button } from './button.tsx';
import { ColumnsChoice } from './columns-choice.tsx';
import { Toolbar } from './toolbar.tsx';

interface TableBarProps {
  transactions: readonly Transaction[];
  action?: ComponentChildren;
  children?: ComponentChildren;
}

export function TableBar({ transactions, action, children }: TableBarProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <>
      <Toolbar class="table-bar" label={texts.$transactions}>
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
      </Toolbar>
      {isChoosing && <ColumnsChoice transactions={transactions} />}
    </>
  );
}
