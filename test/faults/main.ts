import { globalSetup, globalTeardown } from '../rig/run/global-setup.ts';
import { FaultTrials } from './fault-trials.ts';
import { FAULTS, finderOf } from './planted-faults.ts';

/* `npm run plant -- TEXT` plants only faults whose name, file or check contains the text. */
const text = process.argv.slice(2).join(' ');
const wanted = FAULTS.filter(({ name, file, checks }) =>
  [name, file, ...checks].some((one) => one.includes(text)),
);
if (wanted.length === 0) throw new Error('name a fault of docs/promises.md, or a part of its name');

await globalSetup();
const trials = new FaultTrials();
const failures = new Map<string, string | undefined>();
try {
  for (const fault of wanted) {
    const finder = finderOf(fault);
    if (!failures.has(finder)) failures.set(finder, await trials.whyFailing(fault));
    const failing = failures.get(finder);
    const { output, isFound } = await trials.plant(fault);
    if (failing !== undefined) process.stdout.write(`${failing}\n${finder} fails without a fault\n`);
    process.stdout.write(`${output}\n${fault.name}: ${isFound ? 'found' : 'NOT found'} by ${finder}\n`);
    if (!isFound || failing !== undefined) process.exitCode = 1;
  }
} finally {
  trials.remove();
  await globalTeardown();
}
