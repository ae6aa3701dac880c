import { chooseZone, useRoute } from '../state/use-route.ts';
import { texts } from '../text/language.ts';
import { localZone, UTC } from '../text/time.ts';
import { Choices, Popover } from './popover.tsx';

export function ZoneSwitch() {
  const { zone } = useRoute();
  const local = localZone();
  const text = (value: string) => (value === local && value !== UTC ? texts.$localZone(local) : value);
  return (
    <span class="zone">
      <Popover
        id="zone"
        class="chip chip-zone"
        label={
          <>
            <span class="chip-label">{texts.$timesIn}</span> {zone}
          </>
        }
        name={texts.$timesIn}
      >
        <Choices
          popover="zone"
          choices={[...new Set([local, UTC, zone])].map((one) => [one, text(one)])}
          chosen={zone}
          onChoose={chooseZone}
        />
      </Popover>
    </span>
  );
}
