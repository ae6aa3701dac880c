import { globalSetup, globalTeardown } from '../rig/global-setup.ts';
import { ProjectCopy } from './project-copy.ts';
import { FAULTS } from './promises.ts';

/*
 * npm run plant -- TEXT   plants the faults whose name contains the text, each in a copy of the project, and shows how its test fails
 */
const text = process.argv.slice(2).join(' ');
const wanted = FAULTS.filter(({ name }) => name.includes(text));
if (text === '' || wanted.length === 0)
  throw new Error('name a fault of docs/promises.md, or a part of its name');

await globalSetup();
const copy = new ProjectCopy();
try {
  for (const fault of wanted) {
    const { output, isFound } = await copy.plant(fault);
    process.stdout.write(
      `${output}\n${fault.name}: ${isFound ? 'found' : 'NOT found'} by ${fault.foundBy.file}\n`,
    );
    if (!isFound) process.exitCode = 1;
  }
} finally {
  copy.remove();
  await globalTeardown();
}
