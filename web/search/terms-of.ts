import { readSearch, type SearchTerms } from '../../client/search-text/read-search.ts';
import { STATUSES } from '../state/statuses.ts';
import { locale } from '../text/language.ts';
import { statusWord } from '../text/status.ts';
import { dayIn } from '../text/time.ts';

const WRITTEN = [...STATUSES].map(([status, isPaid]) => ({
  status,
  isPaid,
  written: [statusWord(status), status.replaceAll('_', ' ')],
}));

export const termsOf = (text: string, zone: string): SearchTerms =>
  readSearch(text, dayIn(zone), locale, WRITTEN);
