import type { ComponentChild, ComponentChildren } from 'preact';

export interface CardColumn<Row> {
  /** The class of the header and the cells. */
  class: string;
  /** The name of the column. A narrow screen shows it before each cell. */
  name: string;
  /** Replaces the name above the column. */
  header?: ComponentChild;
  /** True if screen readers say this column's cell with every other cell of its row. */
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

/** A table whose rows become cards on a narrow screen. Browsers then drop the roles, so they are explicit. */
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
