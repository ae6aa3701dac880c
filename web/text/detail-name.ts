import { texts } from './language.ts';
import { capital } from './status.ts';

export const detailName = (name: string): string =>
  texts.$detailNames.get(name) ?? capital(name.replaceAll(/[A-Z]+|\d+/g, (part) => ` ${part.toLowerCase()}`));
