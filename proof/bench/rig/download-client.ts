import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';

/* Reads a response to its end a number of times, and prints how many milliseconds that took. */
const { url, key, times } = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'));

const startedAtMs = performance.now();
for (let time = 0; time < times; time++) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${key}` } }, resolve).once('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`the status is ${response.statusCode}`);
  // A response that is cut rejects here.
  for await (const _ of response);
}
process.stdout.write(String(performance.now() - startedAtMs));
