import { h } from 'preact';
import { localZoneName, type TimeZoneChoice } from '../text/time.ts';

interface ZoneSwitchProps {
  zone: TimeZoneChoice;
  onChange(zone: TimeZoneChoice): void;
}

/** Chooses the zone of all times on the screen. The filters always use UTC days. */
export function ZoneSwitch({ zone, onChange }: ZoneSwitchProps) {
  const choice = (value: TimeZoneChoice, label: string) =>
    h(
      'label',
      { class: 'segment' },
      h('input', {
        type: 'radio',
        name: 'time-zone',
        value,
        checked: zone === value,
        onChange: () => onChange(value),
      }),
      h('span', null, label),
    );
  return h(
    'fieldset',
    { class: 'segments' },
    h('legend', null, 'Times in'),
    choice('utc', 'UTC'),
    choice('local', `Local (${localZoneName()})`),
  );
}
