import { globalSetup, globalTeardown } from '../rig/run/global-setup.ts';
import { FaultTrials } from './fault-trials.ts';
import { FAULTS, finderOf } from './planted-faults.ts';

/*
 * npm run plant -- TEXT   plants faults whose name, file or check contains the text, and shows who finds them
 */
const text = process.argv.slice(2).join(' ');
const wanted = FAULTS.filter(({ name, file, checks }) =>
  [name, file, ...checks].some((one) => one.includes(text)),
);
if (text === '' || wanted.length === 0)
  throw new Error('name a fault of docs/promises.md, or a part of its name');

await globalSetup();
const trials = new FaultTrials();
try {
  for (const fault of wanted) {
    const { output, isFound } = await trials.plant(fault);
    process.stdout.write(
      `${output}\n${fault.name}: ${isFound ? 'found' : 'NOT found'} by ${finderOf(fault)}\n`,
    );
    if (!isFound) process.exitCode = 1;
  }
} finally {
  trials.remove();
  await globalTeardown();
}
