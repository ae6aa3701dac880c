import { nowMs } from '../state/clock.ts';

export const UTC = 'UTC';

/** Zones that are an offset without a place, for example on ships. No browser lists these zones. */
const FIXED = /^Etc\/GMT[+-]\d+$/;

/** If the browser reports an unknown zone, such as Etc/Unknown, returns UTC. */
export function localZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return FIXED.test(timeZone) || Intl.supportedValuesOf('timeZone').includes(timeZone) ? timeZone : UTC;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  return format;
}

export function isTimeZone(name: string): boolean {
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

interface Clock {
  shown: string;
  offset: string;
}

export function clockOf(zone: string, timeMs: number): Clock {
  const found =
    zone === UTC ? null : /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(formatOf(zone).format(timeMs));
  const [, sign = '+', hours = '00', minutes = '00', seconds] = found ?? [];
  const offsetMs = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000;
  const text = [hours, minutes, seconds].filter((part) => part !== undefined).join(':');
  return {
    shown: new Date(timeMs + (sign === '-' ? -offsetMs : offsetMs)).toISOString().slice(0, -1),
    offset: zone === UTC ? UTC : `${sign === '-' ? '\u2212' : '+'}${text}`,
  };
}

export const dayIn = (zone: string, timeMs = nowMs()): string =>
  clockOf(zone, timeMs).shown.split('T')[0] as string;

interface TimeParts {
  day: string;
  time: string;
  minute: string;
  offset: string;
}

export function timeParts(instant: string | number, zone: string): TimeParts {
  const { shown, offset } = clockOf(zone, new Date(instant).getTime());
  const [day = '', time = ''] = shown.split('T');
  return { day, time: time.slice(0, 8), minute: time.slice(0, 5), offset };
}

const MAX_SET_BACK_MS = 3 * 3_600_000;

export function isRepeated(timestamp: string, zone: string): boolean {
  const timeMs = Date.parse(timestamp);
  const { shown } = clockOf(zone, timeMs);
  const shownMs = (at: number) => Date.parse(`${clockOf(zone, at).shown}Z`);
  return [timeMs - MAX_SET_BACK_MS, timeMs + MAX_SET_BACK_MS].some((otherMs) => {
    const shiftMs = shownMs(timeMs) - timeMs - (shownMs(otherMs) - otherMs);
    return shiftMs !== 0 && clockOf(zone, timeMs + shiftMs).shown === shown;
  });
}
