import type { ComponentChild, ComponentChildren } from 'preact';

export interface CardColumn<Row> {
  class: string;
  name: string;
  header?: ComponentChild;
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
  classOf?(row: Row): string | undefined;
}

/** On a narrow screen, rows become cards. Browsers then drop the table's roles, so the roles are explicit. */
export const CardTable = <Row,>(props: CardTableProps<Row>) => (
  <table role="table" class={`card-table ${props.class}`} aria-busy={props.isLoading ?? false}>
    <caption class="visually-hidden">{props.caption}</caption>
    <thead role="rowgroup">
      <tr role="row">
        {props.columns.map((column) => (
          <th role="columnheader" scope="col" class={column.class}>
            {column.header ?? column.name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {props.rows.map((row) => (
        <tr key={props.keyOf(row)} role="row" class={props.classOf?.(row)}>
          {props.columns.map((column, index) => {
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
