import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadRequest } from './load.ts';
import { percentileOf } from './statistics.ts';

const { url, requests, readers, perSecond, seconds } = JSON.parse(
  readFileSync(process.argv[2] as string, 'utf8'),
);
const agent = new Agent({ keepAlive: true });
const tookMs: number[] = [];
const endsAtMs = performance.now() + seconds * 1000;
let next = 0;

function send(dueAtMs: number): Promise<void> {
  const { path, headers } = requests[next++ % requests.length] as LoadRequest;
  return new Promise((resolve, reject) => {
    get(url + path, { agent, headers: headers ?? {} }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${response.statusCode}`));
      response.resume().once('end', () => {
        tookMs.push(performance.now() - dueAtMs);
        resolve();
      });
    }).once('error', reject);
  });
}

async function oneAfterTheOther(): Promise<void> {
  do await send(performance.now());
  while (performance.now() < endsAtMs);
}

async function atRandomTimes(): Promise<void> {
  const beganAtMs = performance.now();
  const times = Array.from({ length: Math.ceil(perSecond * seconds) }, () => Math.random() * seconds * 1000);
  await Promise.all(times.map((time) => delay(time).then(() => send(beganAtMs + time))));
}

if (perSecond === null) await Promise.all(Array.from({ length: readers }, oneAfterTheOther));
else await atRandomTimes();
agent.destroy();
process.stdout.write(JSON.stringify({ p50Ms: percentileOf(tookMs, 0.5), p99Ms: percentileOf(tookMs, 0.99) }));
