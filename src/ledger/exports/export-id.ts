import { randomBase62 } from '../../../values/base62.ts';
import type { RandomBytes } from '../../../values/reference.ts';

export const EXPORT_ID_FORM = '^exp_[0-9A-Za-z]{16}$';

const EXPORT_ID = new RegExp(EXPORT_ID_FORM);

export function newExportId(randomBytes: RandomBytes): string {
  return `exp_${randomBase62(16, randomBytes)}`;
}

export function isExportId(text: string): boolean {
  return EXPORT_ID.test(text);
}
