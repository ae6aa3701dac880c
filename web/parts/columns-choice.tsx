import { DETAIL_NAME_FORM, detailOfColumn } from '../../values/detail-name.ts';
import { MAX_DETAILS } from '../../values/interface/limits.ts';
import { announce } from '../state/announce.ts';
import type { Transaction } from '../state/api.ts';
import {
  chooseColumn,
  columnName,
  columnOfDetail,
  columns,
  offeredColumns,
  shownColumns,
} from '../state/columns.ts';
import { texts } from '../text/language.ts';

export function ColumnsChoice({ transactions }: { transactions: readonly Transaction[] }) {
  const chosen = shownColumns(columns.use(), transactions);
  const isFull = chosen.filter(detailOfColumn).length >= MAX_DETAILS;
  return (
    <fieldset class="columns" id="columns">
      <legend class="visually-hidden">{texts.$columns}</legend>
      {offeredColumns(chosen, transactions).map((column) => {
        const isChosen = chosen.includes(column);
        return (
          <label key={column} class="column-choice">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={!isChosen && isFull && detailOfColumn(column) !== undefined}
              onChange={() => chooseColumn(column, !isChosen, chosen)}
            />
            {columnName(column)}
          </label>
        );
      })}
      {!isFull && <OtherDetail shown={chosen} />}
      <p class="help">{texts.$columnsHelp}</p>
    </fieldset>
  );
}

function OtherDetail({ shown }: { shown: readonly string[] }) {
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const [field] = event.currentTarget as HTMLFormElement;
    const { value } = field as HTMLInputElement;
    const column = columnOfDetail(value.replace(/^details\./, ''));
    chooseColumn(column, true, shown);
    (field as HTMLInputElement).value = '';
    announce(texts.$columnAdded(columnName(column)));
  };
  return (
    <form class="column-choice" onSubmit={add}>
      <label for="other-detail">{texts.$otherDetail}</label>
      <input
        id="other-detail"
        placeholder="customer"
        autocapitalize="none"
        required
        pattern={DETAIL_NAME_FORM.replace('^', '(details\\.)?')}
        title={texts.$otherDetailHelp}
      />
      <button type="submit" class="button button-small">
        {texts.$add}
      </button>
    </form>
  );
}
