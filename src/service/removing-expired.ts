import type { Logger } from 'pino';
import { CAPABILITIES } from '../capabilities.ts';
import type { Store } from '../store/store.ts';
import { SYSTEM_CLOCK } from './app.ts';
import type { StartedComponents } from './components.ts';
import { repeatedly } from './sleep.ts';

const REPEAT_MS = 10 * 60_000;

export function removeExpired(
  components: StartedComponents,
  { store, logger, ofOperator }: { store: Store; logger: Logger; ofOperator: boolean },
): void {
  for (const part of CAPABILITIES) {
    if (!('expiring' in part)) continue;
    const { name, on, remove } = part.expiring;
    if (on === 'operator' && !ofOperator) continue;
    let isFailing = false;
    const removeNow = async (signal: AbortSignal) => {
      try {
        await remove(store, SYSTEM_CLOCK.now(), signal);
        isFailing = false;
      } catch (error) {
        if (!isFailing) logger.warn({ err: error }, `could not remove expired ${name}; trying again later`);
        isFailing = true;
      }
    };
    components.add(`removing ${name}`, repeatedly(removeNow, REPEAT_MS));
  }
}
