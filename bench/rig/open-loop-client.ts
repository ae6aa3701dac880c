import { readFileSync } from 'node:fs';
import { type OpenLoopPlan, runOpenLoop } from './open-loop.ts';

const plan: OpenLoopPlan = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'));
process.stdout.write(JSON.stringify(await runOpenLoop(plan)));
