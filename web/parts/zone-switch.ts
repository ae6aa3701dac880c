import { h } from 'preact';
import { localZone, UTC } from '../text/time.ts';

interface ZoneSwitchProps {
  zone: string;
  onChange(zone: string): void;
}

/** Chooses the time zone of all times and days on the screen. A link can bring a third one. */
export function ZoneSwitch({ zone, onChange }: ZoneSwitchProps) {
  const local = localZone();
  const choice = (value: string) =>
    h(
      'label',
      { class: 'segment', key: value },
      h('input', {
        type: 'radio',
        name: 'time-zone',
        value,
        checked: zone === value,
        onChange: () => onChange(value),
      }),
      h('span', null, value === local && value !== UTC ? `Local (${local})` : value),
    );
  return h(
    'fieldset',
    { class: 'segments' },
    h('legend', null, 'Days and times in'),
    [...new Set([UTC, local, zone])].map(choice),
  );
}
