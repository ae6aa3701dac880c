import { type ComponentChild, h } from 'preact';
import { localZoneName, type TimeZoneChoice } from '../text/time.ts';

/**
 * The header of a column. A column of times has a zone, whose name follows. The role is explicit, because browsers drop it when a narrow
 * screen shows the rows as cards.
 */
export const columnHeader = (className: string, name: ComponentChild, zone?: TimeZoneChoice) =>
  h(
    'th',
    { role: 'columnheader', scope: 'col', class: className },
    name,
    zone && h('span', { class: 'label-note' }, ` (${zone === 'utc' ? 'UTC' : localZoneName()})`),
  );
