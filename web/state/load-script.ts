import { fetchKey } from '../../client/src/key.ts';
import { createSend } from '../../client/src/send.ts';
import { storedSession } from './session.ts';
import { settingsOf } from './settings.ts';

/** Thrown if the service answers but does not have the script. The user must then load the page again. */
export class ScriptFailed extends Error {}

/** Throws: ScriptFailed, or the error of a request if the service does not answer. */
export async function loadScript<Script>(
  load: () => Promise<Script>,
  retries: Parameters<typeof settingsOf>[1] = {},
  signal?: AbortSignal,
): Promise<Script> {
  try {
    return await load();
  } catch {
    // The browser does not say why a script failed. If the service does not answer, `fetchKey` throws.
    // Otherwise, the script is loaded once more.
    await fetchKey(createSend(settingsOf(storedSession()?.key ?? '', retries)), { signal });
    return load().catch(() => {
      throw new ScriptFailed();
    });
  }
}
