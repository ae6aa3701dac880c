import { ROOT } from '../source.ts';
import { run } from './programs.ts';

export async function checkInterface(
  url: string,
  {
    key,
    secondKey,
    operatorUrl,
    operatorKey,
  }: { key: string; secondKey: string; operatorUrl: string; operatorKey: string },
): Promise<string> {
  const args = ['--url', url, '--key', key, '--second-key', secondKey, '--operator-url', operatorUrl];
  const output = await run(`${ROOT}proof/conformance/bin/transactions-conformance.js`, [
    ...args,
    ...['--operator-key', operatorKey],
  ]);
  return output.trim().split('\n').at(-1) ?? '';
}
