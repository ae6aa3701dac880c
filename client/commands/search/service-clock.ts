import { WRONG_CLOCK_MS } from '../../../values/clock.ts';
import { counted } from '../../../values/counted.ts';

const MINUTE_MS = 60_000;

export class ServiceClock {
  #aheadMs = 0;

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const aheadMs = Date.now() - Date.parse(response.headers.get('date') ?? '');
    // If a proxy removed the Date header, the previous value is used again.
    if (!Number.isNaN(aheadMs)) this.#aheadMs = aheadMs;
    return response;
  };

  nowMs(): number {
    return Date.now() - this.#aheadMs;
  }

  notes(): string[] {
    const aheadMs = Math.abs(this.#aheadMs);
    if (aheadMs <= WRONG_CLOCK_MS) return [];
    const minutes = counted(Math.round(aheadMs / MINUTE_MS), 'minute');
    const side = this.#aheadMs > 0 ? 'ahead of' : 'behind';
    return [
      `The clock of this device is ${minutes} ${side} the clock of the service, which decides what today is.`,
    ];
  }
}
