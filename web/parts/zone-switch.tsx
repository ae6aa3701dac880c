import { chooseZone, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { localZone, UTC } from '../text/time.ts';

/** Chooses the time zone of all times and days on the screen. A link can bring a third one. */
export function ZoneSwitch() {
  const { zone } = useRoute();
  const local = localZone();
  const choice = (value: string) => (
    <label key={value} class="segment">
      <input
        type="radio"
        name="time-zone"
        value={value}
        checked={zone === value}
        onChange={() => chooseZone(value)}
      />
      <span>{value === local && value !== UTC ? texts.$localZone(local) : value}</span>
    </label>
  );
  return (
    <fieldset class="segments">
      <legend>{texts.$timesIn}</legend>
      {[...new Set([UTC, local, zone])].map(choice)}
    </fieldset>
  );
}
