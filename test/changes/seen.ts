import type { Event, OfAccount, Timed } from '../../proof/judge/history.ts';
import { historyOf, judge } from '../../proof/judge/rules.ts';

type Told<Of> = Of extends OfAccount ? Omit<Of, keyof Timed> : never;

export class Seen {
  readonly #events: Event[] = [];
  #moment = 0;

  async note<What extends Told<OfAccount> | undefined>(
    account: string,
    work: () => Promise<What>,
  ): Promise<What> {
    const began = ++this.#moment;
    const told = await work();
    const ended = ++this.#moment;
    if (told !== undefined)
      this.#events.push({ ...told, account, life: 0, began, ended, beganMs: 0, endedMs: 0 } as Event);
    return told;
  }

  get violations(): string[] {
    return judge(this.#events);
  }

  historyOf(account: string): string[] {
    return historyOf(this.#events, account);
  }
}
