import { ACCOUNTS } from './accounts/capability.ts';
import { KEYS } from './keys/capability.ts';
import { CHANGES } from './ledger/changes/capability.ts';
import { EXPORTS } from './ledger/exports/capability.ts';
import { LIST } from './ledger/list/capability.ts';
import { RECORD } from './ledger/record/capability.ts';
import { SEALS } from './ledger/seals/capability.ts';
import { SEARCH } from './ledger/search/capability.ts';
import { TOTALS } from './ledger/totals/capability.ts';
import { STAFF } from './staff/capability.ts';
import { WEBHOOKS } from './webhooks/capability.ts';

/** The OpenAPI documents list the operations in this order. */
export const CAPABILITIES = [
  LIST,
  SEARCH,
  CHANGES,
  SEALS,
  TOTALS,
  EXPORTS,
  WEBHOOKS,
  RECORD,
  KEYS,
  ACCOUNTS,
  STAFF,
] as const;
