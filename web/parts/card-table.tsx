import type { ComponentChild, ComponentChildren } from 'preact';

interface CardTableProps {
  class: string;
  caption: string;
  isLoading: boolean;
  headers: ComponentChildren;
  /** The rows. */
  children: ComponentChildren;
}

/** A table whose rows a narrow screen shows as cards. The roles are explicit, because browsers drop them then. */
export const CardTable = ({ class: name, caption, isLoading, headers, children }: CardTableProps) => (
  <table role="table" class={`card-table ${name}`} aria-busy={isLoading}>
    <caption class="visually-hidden">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">{headers}</tr>
    </thead>
    <tbody role="rowgroup">{children}</tbody>
  </table>
);

/** The header of a column. A column of times has a zone, whose name follows. */
export const columnHeader = (className: string, name: ComponentChild, zone?: string) => (
  <th role="columnheader" scope="col" class={className}>
    {name}
    {zone && <span class="label-note"> ({zone})</span>}
  </th>
);
