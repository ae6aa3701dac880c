import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../values/store-errors.ts';
import type { Config } from '../config/settings.ts';
import { sharedSettings } from '../config/shared-settings.ts';
import type { Instance, InstanceStore } from '../instances/instance.ts';
import { versionText } from './build-info.ts';
import { repeatedly, type Sleep } from './sleep.ts';

/** A third of INSTANCE_LIFETIME_MS: after a failed attempt, the next one is still in time. */
const REPEAT_MS = 20_000;

interface NoteOptions {
  store: Pick<InstanceStore, 'noteInstance' | 'removeInstance'>;
  config: Config;
  instance: string;
  logger: Pick<Logger, 'warn'>;
  sleep?: Sleep;
}

export async function startNotingInstance(options: NoteOptions): Promise<() => Promise<void>> {
  const { store, config, instance, logger, sleep } = options;
  const noted: Instance = {
    instance,
    host: `${hostname()}:${process.pid}`,
    version: versionText(),
    settings: await sharedSettings(config),
  };
  let isNoted = true;
  const first = Promise.withResolvers<void>();
  const note = async () => {
    try {
      if (isNoted) await store.noteInstance(noted);
    } catch (error) {
      // The error is ignored, because other log lines and metrics report that the database is unavailable.
      if (error instanceof StoreUnavailable) return;
      isNoted = false;
      logger.warn(
        { err: error },
        'could not store this instance in the database: settings of instances cannot be compared',
      );
    } finally {
      first.resolve();
    }
  };
  const stop = repeatedly(note, REPEAT_MS, sleep);
  await first.promise;
  return async () => {
    await stop();
    // If this fails, another instance removes the row after INSTANCE_LIFETIME_MS.
    if (isNoted) await store.removeInstance(instance).catch(() => {});
  };
}
