import type { ComponentChild, ComponentChildren } from 'preact';

export interface CardColumn<Row> {
  /** Of its header and its cells. */
  class: string;
  /** A narrow screen shows it before each cell. */
  name: string;
  /** In the place of the name above the column. */
  header?: ComponentChild;
  /** Screen readers say its cells with each other cell of their rows. */
  isRowHeader?: boolean;
  cell(row: Row): ComponentChildren;
}

interface CardTableProps<Row> {
  class: string;
  caption: string;
  isLoading?: boolean;
  columns: readonly CardColumn<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  /** The class of a row that stands out. */
  classOf?(row: Row): string | undefined;
}

/**
 * A table whose rows a narrow screen shows as cards. The roles are explicit, because browsers drop them then.
 */
export const CardTable = <Row,>({
  class: name,
  caption,
  isLoading = false,
  columns,
  rows,
  keyOf,
  classOf,
}: CardTableProps<Row>) => (
  <table role="table" class={`card-table ${name}`} aria-busy={isLoading}>
    <caption class="visually-hidden">{caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map((column) => (
          <th role="columnheader" scope="col" class={column.class}>
            {column.header ?? column.name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {rows.map((row) => (
        <tr key={keyOf(row)} role="row" class={classOf?.(row)}>
          {columns.map((column, index) => {
            const cell = { class: column.class, 'data-name': column.name, children: column.cell(row) };
            return column.isRowHeader ? (
              <th key={index} role="rowheader" scope="row" {...cell} />
            ) : (
              <td key={index} role="cell" {...cell} />
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);
