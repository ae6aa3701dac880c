import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type {
  Change,
  ChangePage,
  ChangeQuery,
  ExportManifest,
  ExportQuery,
  Key,
  ListFilters,
  PageQuery,
  ParameterFault,
  SearchPage,
  SearchQuery,
  Totals,
  TotalsQuery,
  TotalsRow,
  Transaction,
  TransactionPage,
} from '../../client/src/index.ts';
import type {
  BatchResult,
  BatchTransaction,
  CreatedKey,
  CreatedSession,
  KeyRoll,
  ListedAccount,
  ListedKey,
  ListedSession,
  NewKey,
  NewSession,
  NewTransaction,
  RolledKey,
} from '../../client/src/platform.ts';
import { FIELDS } from '../../client/src/transaction.ts';
import type { AccountBody } from '../../src/accounts/http/list-accounts.ts';
import type { ValuesOf } from '../../src/http/operations/parameters.ts';
import type { ProblemDocument } from '../../src/http/schemas/problem.ts';
import type { Static } from '../../src/http/schemas/type.ts';
import type * as keySchemas from '../../src/keys/http/api-key-schemas.ts';
import type * as sessionSchemas from '../../src/keys/http/session-schemas.ts';
import type { CHANGE_PARAMETERS } from '../../src/ledger/changes/http/change-parameters.ts';
import type { ChangeBody, ChangePageSchema } from '../../src/ledger/changes/http/change-schemas.ts';
import type { exportParameters } from '../../src/ledger/exports/http/export-parameters.ts';
import type { ExportBody } from '../../src/ledger/exports/http/export-schemas.ts';
import type { TotalBody, TotalsBody } from '../../src/ledger/http/totals-schemas.ts';
import type { TransactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import type { listParameters, TransactionPageSchema } from '../../src/ledger/list/http/list-query.ts';
import type { ListParameter } from '../../src/ledger/list/list.ts';
import type {
  BatchLineSchema,
  BatchResultBody,
  TransactionRequestSchema,
} from '../../src/ledger/record/http/recording-schemas.ts';
import type { searchParameters } from '../../src/ledger/search/http/search-request.ts';
import type { SearchPageSchema } from '../../src/ledger/search/http/search-transactions.ts';
import type { totalsParameters } from '../../src/ledger/totals/http/read-totals.ts';

type Extends<One, Other> = [One] extends [Other] ? true : false;
type Same<One, Other> = Extends<One, Other> extends true ? Extends<Other, One> : false;
type SameFields<One, Other> = Same<keyof One, keyof Other> extends true ? Same<One, Other> : false;
type Given<One> = { [Name in keyof One]-?: NonNullable<One[Name]> };
type ExportParameter = keyof ReturnType<typeof exportParameters>;
type Query = ValuesOf<ReturnType<typeof listParameters>>;
type SearchParameters = ValuesOf<ReturnType<typeof searchParameters>>;
type SearchBody = Omit<Static<typeof SearchPageSchema>, 'data'> & { data: TransactionBody[] };
type PageBody = Omit<Static<typeof TransactionPageSchema>, 'data'> & { data: TransactionBody[] };
type WrittenChange = Omit<ChangeBody, 'transaction'> & { transaction: TransactionBody };
type ChangePageBody = Omit<Static<typeof ChangePageSchema>, 'data'> & { data: WrittenChange[] };

interface Agreements {
  transaction: SameFields<Transaction, TransactionBody>;
  page: SameFields<TransactionPage, PageBody>;
  searchPage: SameFields<SearchPage, SearchBody>;
  searchQuery: SameFields<Given<SearchQuery>, Given<Omit<SearchParameters, 'cursor'>>>;
  change: SameFields<Change, WrittenChange>;
  changePage: SameFields<ChangePage, ChangePageBody>;
  changeQuery: SameFields<Given<ChangeQuery>, Given<ValuesOf<typeof CHANGE_PARAMETERS>>>;
  totals: SameFields<Totals, TotalsBody>;
  totalsRow: SameFields<TotalsRow, TotalBody>;
  totalsQuery: SameFields<Given<TotalsQuery>, Given<ValuesOf<ReturnType<typeof totalsParameters>>>>;
  key: SameFields<Omit<Key, 'scopes' | 'kind'>, Omit<keySchemas.KeyBody, 'scopes' | 'kind'>>;
  account: SameFields<ListedAccount, AccountBody>;
  newKey: Same<keyof NewKey, keyof Static<typeof keySchemas.KeyRequestSchema>>;
  keyRoll: Same<keyof KeyRoll, keyof Static<typeof keySchemas.RollRequestSchema>>;
  createdKey: SameFields<Omit<CreatedKey, 'scopes'>, Omit<keySchemas.CreatedKeyBody, 'scopes'>>;
  listedKey: SameFields<
    Omit<ListedKey, 'scopes' | 'state'>,
    Omit<keySchemas.ListedKeyBody, 'scopes' | 'state'>
  >;
  rolledKey: SameFields<Omit<RolledKey, 'scopes'>, Omit<keySchemas.RolledKeyBody, 'scopes'>>;
  newSession: Same<keyof NewSession, keyof Static<typeof sessionSchemas.SessionRequestSchema>>;
  createdSession: SameFields<
    Omit<CreatedSession, 'scopes'>,
    Omit<Static<typeof sessionSchemas.CreatedSessionSchema>, 'scopes'>
  >;
  listedSession: SameFields<
    Omit<ListedSession, 'scopes' | 'state'>,
    Omit<Static<typeof sessionSchemas.ListedSessionSchema>, 'scopes' | 'state'>
  >;
  manifest: SameFields<Omit<ExportManifest, 'filters'>, Omit<ExportBody, 'filters'>>;
  exportQuery: Same<Exclude<keyof ExportQuery, 'format'>, ExportParameter>;
  query: SameFields<Given<PageQuery>, Given<Query>>;
  parameters: Same<keyof PageQuery, ListParameter>;
  filters: Same<keyof ListFilters, Exclude<keyof Query, 'cursor'>>;
  fault: Extends<ParameterFault, NonNullable<ProblemDocument['errors']>[number]>;
  recorded: Same<keyof NewTransaction, keyof Static<typeof TransactionRequestSchema>>;
  batchLine: Same<keyof BatchTransaction, keyof Static<typeof BatchLineSchema>>;
  batchResult: Same<Exclude<keyof BatchResult, 'transaction'>, keyof BatchResultBody>;
}

test("the client's types match the service's schemas and its OpenAPI document", () => {
  assert.deepEqual({} as Agreements satisfies Record<keyof Agreements, true>, {});
  const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
  const { Transaction: schema } = document.components.schemas;
  assert.deepEqual(Object.keys(FIELDS).sort(), Object.keys(schema.properties).sort());
  assert.deepEqual(
    Object.entries(FIELDS)
      .filter(([, kind]) => kind.startsWith('text'))
      .map(([name]) => name)
      .sort(),
    [...schema.required].sort(),
  );
});
