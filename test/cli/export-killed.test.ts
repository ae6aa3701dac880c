import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { until } from '../rig/run/give-up.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { importedService } from '../rig/service/imported-service.ts';
import { outcomeOf, start, withoutProgress } from '../rig/service/process.ts';

/** So many rows that the sockets between the service and the command cannot hold their bytes. */
const ROWS = 40_000;
const KILLS = inTier({ short: 3, long: 8 });
const SPACING_MS = 10_000;
const FIRST_DAY = ['--to', '2026-02-01'];

const CSV = csvFile(
  ...Array.from({ length: ROWS }, (_, index) =>
    csvLine({
      reference: `r${index}`,
      merchantReference: String(index).padStart(240, 'm'),
      createdAt: new Date(Date.UTC(2026, 1, 1) + index * SPACING_MS).toISOString(),
    }),
  ),
);

describe('an export of a service that records nothing', () => {
  const service = importedService(CSV);
  const output = `${service.folder}/out`;
  const file = `${output}/month.csv`;
  const proof = `${output}/month.json`;
  const random = new Random(seed);
  let whole: Buffer;
  /** The rows of the first day only. */
  let firstDay: Buffer;

  before(async () => {
    mkdirSync(output);
    const save = async (args: readonly string[]) => {
      const { status, stderr } = await service.run(['export', '--csv', '--output', file, ...args]);
      assert.equal(status, 0, stderr);
      return readFileSync(file);
    };
    whole = await save([]);
    firstDay = await save(FIRST_DAY);
    assert.ok(whole.length > 10_000_000 && firstDay.length < 5_000_000);
  });

  /** The size of the incomplete file in bytes; undefined if there is none. */
  const incompleteBytes = () => {
    const [name] = readdirSync(output).filter((one) => one.includes('.incomplete-'));
    return name === undefined ? undefined : statSync(`${output}/${name}`, { throwIfNoEntry: false })?.size;
  };

  const begin = (args: readonly string[] = []) => {
    rmSync(output, { recursive: true });
    mkdirSync(output);
    const child = start(['export', '--csv', '--output', file, '--manifest', proof, ...args], service.options);
    const outcome = outcomeOf(child);
    /** Waits until the file has `bytes` bytes, or the command has ended. */
    const reach = (bytes: number) =>
      until(() => child.exitCode !== null || (incompleteBytes() ?? -1) >= bytes);
    return { child, outcome, reach };
  };

  test(`killed ${KILLS} times at random moments leaves no file under its name unless it is whole`, async (t) => {
    let killed = 0;
    let kept = 0;
    for (let tries = 0; killed < KILLS; tries++) {
      assert.ok(tries < 3 * KILLS, 'most exports end before they are killed');
      const isReplaced = random.chance(0.5);
      const { child, outcome, reach } = begin(FIRST_DAY);
      if (isReplaced) writeFileSync(file, 'older');
      // Most kills come during the response, some while the command verifies and renames the file.
      await reach(random.chance(0.7) ? random.integer(0, firstDay.length) : firstDay.length);
      child.kill(random.pick(['SIGKILL', 'SIGKILL', 'SIGINT', 'SIGTERM']));
      const { stderr, status, signal } = await outcome;
      const found = existsSync(file) ? readFileSync(file) : undefined;
      if (found?.equals(firstDay)) kept++;
      else assert.equal(found?.toString(), isReplaced ? 'older' : undefined);
      if (status === 0) {
        assert.ok(found?.equals(firstDay));
        continue;
      }
      killed++;
      if (signal === null) {
        assert.equal(status, 1);
        assert.match(
          withoutProgress(stderr),
          /^Stopped by SIG(INT|TERM)\. Run the command again to make a new export\.\n(Nothing was saved as .*\n)?$/,
        );
        assert.equal(incompleteBytes(), undefined);
      }
    }
    t.diagnostic(`${killed} killed, ${kept} files kept`);
  });
});
