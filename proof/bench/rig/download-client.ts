/*
 * Reads a response to its end a number of times, and prints a line of JSON for each.
 * Arguments: URL, API key, how many times.
 */
import { get, type IncomingMessage } from 'node:http';
import type { Download } from './download.ts';

const [url = '', key = '', times = '1'] = process.argv.slice(2);

async function download(): Promise<Download> {
  const startedAtMs = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${key}` } }, resolve).once('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`the status is ${response.statusCode}`);
  let bytes = 0;
  // A response that is cut rejects here.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
  }
  return { bytes, tookMs: performance.now() - startedAtMs };
}

for (let time = 0; time < Number(times); time++)
  process.stdout.write(`${JSON.stringify(await download())}\n`);
