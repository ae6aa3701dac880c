import { texts } from './language.ts';
import { capital } from './status.ts';

/** Returns a name such as "Customer", or "Card last 4" for cardLast4. */
export const detailName = (name: string): string =>
  texts.$detailNames.get(name) ?? capital(name.replaceAll(/[A-Z]+|\d+/g, (part) => ` ${part.toLowerCase()}`));
