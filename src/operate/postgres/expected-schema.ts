import type { Migration } from '../../db/migrations.ts';
import { checksOf, type ValueCheck } from '../value-checks.ts';

export interface ExpectedIndex {
  table: string;
  isUnique: boolean;
  columns: readonly string[];
  isPartial: boolean;
}

interface ExpectedTable {
  /** The type of a required column ends with NOT NULL. */
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

const STATEMENT =
  /CREATE TABLE (?<created>\w+) \((?<body>[\s\S]*?)\n\)|ALTER TABLE (?<altered>\w+)\s(?<change>[^;]*)|CREATE (?<unique>UNIQUE )?INDEX (?<index>\w+) ON (?<indexed>\w+)\s*\((?<columns>[^)]*)\)(?<where>\s+WHERE)?|CREATE POLICY (?<policy>\w+) ON (?<secured>\w+)/g;

const listOf = (text: string) => text.split(',').map((name) => name.trim());

/** Unnamed constraints get PostgreSQL's default names. */
export function expectedSchema(migrations: readonly Pick<Migration, 'sql'>[]): ExpectedSchema {
  const schema: ExpectedSchema = { tables: new Map(), indexes: new Map() };
  for (const { sql } of migrations)
    for (const { groups = {} } of sql.replaceAll(COMMENT, '').matchAll(STATEMENT)) apply(schema, groups);
  return schema;
}

function apply(schema: ExpectedSchema, groups: Record<string, string | undefined>): void {
  const { created, body, altered, change, index, indexed, columns, policy, secured } = groups;
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
    else {
      const [, column, type] = /^([a-z]\w*)\s+([a-z]\w*)/.exec(line) ?? [];
      if (column === undefined || type === undefined) continue;
      table.columns.set(column, line.includes(' NOT NULL') ? required(type) : type);
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

function alterTable(schema: ExpectedSchema, name: string, change: string): void {
  const table = tableOf(schema, name);
  const [, keyColumns] = /^ADD PRIMARY KEY \(([^)]*)\)/.exec(change.trim()) ?? [];
  if (keyColumns !== undefined) addKey(schema, name, listOf(keyColumns));
  if (change.includes('ENABLE ROW LEVEL SECURITY')) table.hasRowLevelSecurity = true;
}
