import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/rig/run/properties.ts';
import { RowReader } from './message-router.ts';

const BEFORE = Buffer.from('before');
const BEHIND = Buffer.alloc(64, 1);

type Column = string | bigint | null | Buffer;

function bytesOf(column: Column): Buffer {
  if (column === null) return int32(-1);
  let value = column;
  if (typeof value === 'bigint') {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(value);
    value = bytes;
  }
  const bytes = Buffer.from(value);
  return Buffer.concat([int32(bytes.length), bytes]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const rowOf = (columns: readonly Column[], count = columns.length) =>
  Buffer.concat([Buffer.from([count >> 8, count]), ...columns.map(bytesOf)]);

function read<Row>(row: Buffer, readRow: (reader: RowReader) => Row, reader = new RowReader()): Row {
  const bytes = Buffer.concat([BEFORE, row, BEHIND]);
  const result = readRow(reader.begin(bytes, BEFORE.length, BEFORE.length + row.length));
  reader.finish();
  return result;
}

interface Method {
  sample: string | bigint;
  read: (row: RowReader) => string | number | null;
}

const METHODS = {
  text: { sample: 'ünï', read: (row: RowReader) => row.text() },
  textOrNull: { sample: '', read: (row: RowReader) => row.textOrNull() },
  word: { sample: 'EUR', read: (row: RowReader) => row.word() },
  integer: { sample: -12n, read: (row: RowReader) => row.integer() },
  integerOrNull: { sample: 12n, read: (row: RowReader) => row.integerOrNull() },
};

for (const [name, { sample, read: readValue }] of Object.entries<Method>(METHODS)) {
  test(`${name} refuses a row with other columns, or with bytes missing or left over`, () => {
    const readNull = () => read(rowOf([null]), readValue);
    if (name.endsWith('OrNull')) assert.equal(readNull(), null);
    else assert.throws(readNull, /has a NULL where a value is required/);
    assert.throws(() => read(rowOf([sample, sample]), readValue), /has more columns than are read: 1/);
    assert.throws(() => read(rowOf([]), readValue), /has fewer columns than are read/);
    const row = rowOf([sample]);
    for (let length = 2; length < row.length; length++)
      assert.throws(() => read(row.subarray(0, length), readValue), /ends within a value/);
    assert.throws(() => read(Buffer.concat([row, Buffer.alloc(1)]), readValue), /longer than its values/);
  });
}

test('a bigint must have 8 bytes and be a safe integer', () => {
  for (const value of [0, -1, 2 ** 32, -(2 ** 32), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
    assert.equal(read(rowOf([BigInt(value)]), METHODS.integer.read), value);
  for (const value of [2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)])
    assert.throws(() => read(rowOf([value]), METHODS.integer.read), /beyond 2\^53/);
  for (const bytes of [0, 4, 7, 9])
    assert.throws(() => read(rowOf([Buffer.alloc(bytes)]), METHODS.integer.read), /a bigint of \d bytes/);
});

test('every row is read unchanged, even by a reader that has read another row', () => {
  const reader = new RowReader();
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'EUR', 'é', '€', '😀'));
  const columns = fc.tuple(
    text,
    fc.option(text),
    text,
    text,
    fc.maxSafeInteger(),
    fc.option(fc.maxSafeInteger()),
  );
  fc.assert(
    fc.property(columns, (values) => {
      const row = rowOf(values.map((value) => (typeof value === 'number' ? BigInt(value) : value)));
      const found = read(
        row,
        (from) => [
          from.text(),
          from.textOrNull(),
          from.word(),
          from.word(),
          from.integer(),
          from.integerOrNull(),
        ],
        reader,
      );
      assert.deepEqual(found, values);
    }),
    { numRuns: 1000 },
  );
});
