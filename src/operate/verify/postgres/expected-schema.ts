import type { Migration } from '../../../db/migrations.ts';
import { checksOf, type ValueCheck } from '../value-checks.ts';

export interface ExpectedIndex {
  table: string;
  isUnique: boolean;
  columns: readonly string[];
  /** True if it has entries of some rows only. */
  isPartial: boolean;
}

export interface ExpectedTable {
  /** The type of each column, with NOT NULL if it is required. */
  columns: Map<string, string>;
  constraints: Set<string>;
  checks: ValueCheck[];
  policies: Set<string>;
  hasRowLevelSecurity: boolean;
}

interface ExpectedSchema {
  tables: Map<string, ExpectedTable>;
  indexes: Map<string, ExpectedIndex>;
}

const COMMENT = /--.*$/gm;
const BLOCK = /DO \$\$[\s\S]*?\$\$;/g;

const STATEMENT =
  /CREATE TABLE (?:IF NOT EXISTS )?(?<created>\w+) \((?<body>[\s\S]*?)\n\)|ALTER TABLE (?<altered>\w+)\s(?<change>[^;]*)|CREATE (?<unique>UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(?<index>\w+) ON (?<indexed>\w+)\s*\((?<columns>[^)]*)\)(?<where>\s+WHERE)?|DROP INDEX (?:CONCURRENTLY )?(?:IF EXISTS )?(?<dropped>\w+)|CREATE POLICY (?<policy>\w+) ON (?<secured>\w+)/g;

const listOf = (text: string) => text.split(',').map((name) => name.trim());

/**
 * The schema that migrations create, read from their text: names of tables, columns, constraints, indexes and
 * policies. Names that PostgreSQL gives follow its rules. A test compares it with a migrated database.
 */
export function expectedSchema(migrations: readonly Pick<Migration, 'sql'>[]): ExpectedSchema {
  const schema: ExpectedSchema = { tables: new Map(), indexes: new Map() };
  for (const { sql } of migrations) {
    const text = sql.replaceAll(COMMENT, '').replaceAll(BLOCK, '');
    for (const { groups = {} } of text.matchAll(STATEMENT)) apply(schema, groups);
  }
  return schema;
}

function apply(schema: ExpectedSchema, groups: Record<string, string | undefined>): void {
  const { created, body, altered, change, index, indexed, columns, dropped, policy, secured } = groups;
  if (created !== undefined) createTable(schema, created, body ?? '');
  if (altered !== undefined) alterTable(schema, altered, change ?? '');
  if (index !== undefined) {
    schema.indexes.set(index, {
      table: indexed ?? '',
      isUnique: groups['unique'] !== undefined,
      columns: listOf(columns ?? ''),
      isPartial: groups['where'] !== undefined,
    });
  }
  if (dropped !== undefined) schema.indexes.delete(dropped);
  if (policy !== undefined) tableOf(schema, secured ?? '').policies.add(policy);
}

function tableOf({ tables }: ExpectedSchema, name: string): ExpectedTable {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`the migrations make no table ${name}`);
  return table;
}

function createTable(schema: ExpectedSchema, name: string, body: string): void {
  const table: ExpectedTable = {
    columns: new Map(),
    constraints: new Set(),
    checks: checksOf(body),
    policies: new Set(),
    hasRowLevelSecurity: false,
  };
  schema.tables.set(name, table);
  let key: string[] = [];
  for (const line of body.split(/,?\n/).map((text) => text.trim())) {
    const [, keyColumns] = /^PRIMARY KEY \(([^)]*)\)/.exec(line) ?? [];
    const [, constraint] = /^CONSTRAINT (\w+)/.exec(line) ?? [];
    if (keyColumns !== undefined) key = listOf(keyColumns);
    else if (constraint !== undefined) table.constraints.add(constraint);
    else if (line.startsWith('CHECK')) table.constraints.add(`${name}_check`);
    else
      for (const column of addColumns(table, line)) {
        if (line.includes(' PRIMARY KEY')) key = [column];
        if (line.includes(' CHECK ')) table.constraints.add(`${name}_${column}_check`);
      }
  }
  if (key.length > 0) addKey(schema, name, key);
}

function addKey(schema: ExpectedSchema, name: string, key: readonly string[]): void {
  const table = tableOf(schema, name);
  for (const column of key) table.columns.set(column, required(table.columns.get(column) ?? ''));
  table.constraints.add(`${name}_pkey`);
  schema.indexes.set(`${name}_pkey`, { table: name, isUnique: true, columns: key, isPartial: false });
}

const required = (type: string) => (type.endsWith(' NOT NULL') ? type : `${type} NOT NULL`);

/** Adds the columns that a line of CREATE TABLE, or lines with ADD COLUMN, define. Returns their names. */
function addColumns(table: ExpectedTable, text: string): string[] {
  return text.split(/,?\s*ADD COLUMN\s+/).flatMap((definition) => {
    const [, column, type] = /^(?:IF NOT EXISTS )?([a-z]\w*)\s+([a-z]\w*)/.exec(definition.trim()) ?? [];
    if (column === undefined || type === undefined) return [];
    table.columns.set(column, definition.includes(' NOT NULL') ? required(type) : type);
    return [column];
  });
}

function alterTable(schema: ExpectedSchema, name: string, change: string): void {
  const table = tableOf(schema, name);
  const [, keyColumns] = /^ADD PRIMARY KEY \(([^)]*)\)/.exec(change.trim()) ?? [];
  if (keyColumns !== undefined) addKey(schema, name, listOf(keyColumns));
  const [, added] = /^ADD CONSTRAINT (\w+)/.exec(change.trim()) ?? [];
  const [, dropped] = /^DROP CONSTRAINT (\w+)/.exec(change.trim()) ?? [];
  if (added !== undefined) {
    table.constraints.add(added);
    table.checks.push(...checksOf(change.trim().slice('ADD '.length)));
  }
  if (dropped !== undefined) {
    table.constraints.delete(dropped);
    table.checks = table.checks.filter(({ name }) => name !== dropped);
  }
  if (change.includes('ADD COLUMN')) addColumns(table, change);
  if (change.includes('ENABLE ROW LEVEL SECURITY')) table.hasRowLevelSecurity = true;
}
