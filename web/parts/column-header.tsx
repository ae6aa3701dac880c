import type { ComponentChild } from 'preact';

/**
 * The header of a column. A column of times has a zone, whose name follows. The role is explicit, because browsers drop it when a narrow
 * screen shows the rows as cards.
 */
export const columnHeader = (className: string, name: ComponentChild, zone?: string) => (
  <th role="columnheader" scope="col" class={className}>
    {name}
    {zone && <span class="label-note"> ({zone})</span>}
  </th>
);
