import { detailOfColumn } from '../../values/detail-name.ts';
import { detailName } from '../text/detail-name.ts';
import { reconcile } from '../text/en/reconcile.ts';
import { labels } from '../text/labels.ts';
import { texts as ofPage } from '../text/language.ts';

export const texts: typeof reconcile.$reconcile = { ...reconcile, ...ofPage }.$reconcile;

export function roleName(role: string): string {
  const detail = detailOfColumn(role);
  return detail === undefined
    ? (({ ...labels, ...texts.$roles } as Readonly<Record<string, string>>)[role] ?? role)
    : detailName(detail);
}
