import { arrayText } from '../../db/postgres/driver/index.ts';
import { scriptOf, sentStatement } from '../../db/postgres/sent-statement.ts';
import { statementsOf } from '../../db/statement.ts';
import type { DaySum } from '../totals/total.ts';

const written = statementsOf(new URL('./add-to-totals.sql', import.meta.url));
const ADD_SUMS_OF_ACCOUNT = written('addSumsOfAccount');

export const ADD_SUMS = sentStatement(written('addSums'));

const arraysOf = (sums: readonly DaySum[]) => ({
  days: arrayText(sums.map(({ day }) => day)),
  currencies: arrayText(sums.map(({ currencyCode }) => currencyCode)),
  statuses: arrayText(sums.map(({ status }) => status)),
  counts: arrayText(sums.map(({ count }) => count)),
  amounts: arrayText(sums.map(({ amountMinor }) => String(amountMinor))),
});

export const addSumsValues = (sums: readonly (DaySum & { account: string })[]) =>
  ADD_SUMS.valuesOf({ accounts: arrayText(sums.map(({ account }) => account)), ...arraysOf(sums) });

export const addSumsScript = (account: string, sums: readonly DaySum[]): string =>
  scriptOf(ADD_SUMS_OF_ACCOUNT, { account, ...arraysOf(sums) });
