import { statSync } from 'node:fs';
import { number } from '../../../values/counted.ts';
import { Thread, type ThreadCall } from '../../db/sqlite/thread.ts';
import { type Disagreement, differingIndex } from '../disagreement.ts';
import type { StorageCheck } from '../stored-rows.ts';

export interface CheckedFile {
  lines: string[];
  objects: CheckedObject[];
}

export interface Damaged {
  damaged: string;
}

export interface CheckedObject {
  type: 'table' | 'index';
  name: string;
  /** SQLite's messages name a table or an index by this number. */
  rootPage: number;
}

const PROGRESS_INTERVAL_MS = 1000;
const MB = 1_000_000;

/** A stop signal must not wait for long checks, so they run in a thread. */
export const checkingThread = () =>
  new Thread<ThreadCall>('checking', new URL('./check-file-worker.ts', import.meta.url), {});

export async function checkFile(
  thread: Thread<ThreadCall>,
  path: string,
  onProgress: (what: string) => void,
): Promise<StorageCheck> {
  const startedAtMs = performance.now();
  const size = `${number(Math.ceil(statSync(path).size / MB))} MB`;
  const show = () =>
    onProgress(
      `Checking the pages and indexes of the file (${size}): ${Math.floor((performance.now() - startedAtMs) / 1000)} s so far`,
    );
  show();
  const interval = setInterval(show, PROGRESS_INTERVAL_MS);
  try {
    const checked = await thread.call<CheckedFile | Damaged>({ name: 'check', values: [path] });
    if ('damaged' in checked)
      return { disagreements: [damagedPages('the file', checked.damaged)], indexes: 0, notChecked: null };
    const { lines, objects } = checked;
    return {
      disagreements: disagreementsOf(lines, objects),
      indexes: objects.filter(({ type }) => type === 'index').length,
      notChecked: null,
    };
  } finally {
    clearInterval(interval);
  }
}

const OF_INDEX =
  /(?:missing from|values differ from|wrong # of entries in|non-unique entry in|for row .* of) index (\S+)$/;
const OF_TABLE = /^row not in PRIMARY KEY order for (\S+)$|^\S+ value (?:missing from |in )([^.\s]+)\./;
const OF_TREE = /^Tree (\d+) /;

function disagreementsOf(lines: readonly string[], objects: readonly CheckedObject[]): Disagreement[] {
  const found = new Map<string, { object: CheckedObject | undefined; first: string; count: number }>();
  for (const line of lines) {
    const [, index] = OF_INDEX.exec(line) ?? [];
    const [, ordered, valued] = OF_TABLE.exec(line) ?? [];
    const [, tree] = OF_TREE.exec(line) ?? [];
    const name = index ?? ordered ?? valued;
    const object = objects.find((found) =>
      tree === undefined ? found.name === name : found.rootPage === Number(tree),
    );
    const place = object === undefined ? 'the file' : `${object.type} ${object.name}`;
    const before = found.get(place);
    if (before === undefined) found.set(place, { object, first: line, count: 1 });
    else before.count++;
  }
  return [...found].map(([place, { object, first, count }]) => {
    const shown = `${first}${count === 1 ? '' : `, and ${count - 1} more`}`;
    return object?.type === 'index' ? differingIndex(place, shown) : damagedPages(place, shown);
  });
}

const damagedPages = (place: string, found: string): Disagreement => ({
  check: 'pages',
  account: null,
  place,
  found,
  expected: 'pages as SQLite wrote them',
});
