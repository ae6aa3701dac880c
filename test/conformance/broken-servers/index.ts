import { ACCESS_DEFECTS } from './access-defects.ts';
import { ACCOUNT_DEFECTS } from './account-defects.ts';
import { BATCH_DEFECTS } from './batch-defects.ts';
import { CHANGE_DEFECTS } from './change-defects.ts';
import { CHANGE_ID_DEFECTS } from './change-id-defects.ts';
import { CURSOR_DEFECTS } from './cursor-defects.ts';
import { CURSOR_FAULT_DEFECTS } from './cursor-fault-defects.ts';
import type { Defect } from './defect.ts';
import { EXPORT_DEFECTS } from './export-defects.ts';
import { FEED_QUERY_DEFECTS } from './feed-query-defects.ts';
import { FIELD_DEFECTS } from './field-defects.ts';
import { FILTER_DEFECTS } from './filter-defects.ts';
import { KEY_DEFECTS } from './key-defects.ts';
import { LIST_DEFECTS } from './list-defects.ts';
import { MANIFEST_DEFECTS } from './manifest-defects.ts';
import { PAGE_DEFECTS } from './page-defects.ts';
import { PROBLEM_DEFECTS } from './problem-defects.ts';
import { QUERY_DEFECTS } from './query-defects.ts';
import { RANGE_DEFECTS } from './range-defects.ts';
import { RECORD_DEFECTS } from './record-defects.ts';
import { RESPONSE_DEFECTS } from './response-defects.ts';
import { SEARCH_DEFECTS } from './search-defects.ts';
import { TIME_ZONE_DEFECTS } from './time-zone-defects.ts';
import { TOTAL_DEFECTS } from './total-defects.ts';
import { VALUE_DEFECTS } from './value-defects.ts';
import { WEBHOOK_DEFECTS } from './webhook-defects.ts';

/** Every broken server. */
export const DEFECTS: Defect[] = [
  ...LIST_DEFECTS,
  ...PAGE_DEFECTS,
  ...ACCOUNT_DEFECTS,
  ...FIELD_DEFECTS,
  ...FILTER_DEFECTS,
  ...RANGE_DEFECTS,
  ...TIME_ZONE_DEFECTS,
  ...VALUE_DEFECTS,
  ...QUERY_DEFECTS,
  ...CURSOR_DEFECTS,
  ...CURSOR_FAULT_DEFECTS,
  ...ACCESS_DEFECTS,
  ...KEY_DEFECTS,
  ...RESPONSE_DEFECTS,
  ...PROBLEM_DEFECTS,
  ...RECORD_DEFECTS,
  ...BATCH_DEFECTS,
  ...CHANGE_DEFECTS,
  ...CHANGE_ID_DEFECTS,
  ...FEED_QUERY_DEFECTS,
  ...SEARCH_DEFECTS,
  ...TOTAL_DEFECTS,
  ...EXPORT_DEFECTS,
  ...MANIFEST_DEFECTS,
  ...WEBHOOK_DEFECTS,
];
