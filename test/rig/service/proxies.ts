import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

export interface ProxyPlace {
  folder: string;
  port: number;
  plainPort: number;
  operatorPort: number;
  upstream: string;
  operatorUpstream: string;
}

interface Proxy {
  configure(place: ProxyPlace): string[];
  hasOperator: boolean;
  addInstance(args: string[], place: ProxyPlace, added: Instance): string[];
}

export const readSample = (name: string) =>
  readFileSync(new URL(`../../../release/ops/${name}`, import.meta.url), 'utf8');

export const replaced = (sample: string, pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((result, [found, other]) => {
    assert.ok(result.includes(found), found);
    return result.replaceAll(found, other);
  }, sample);

function nginx({ folder, port, plainPort, upstream }: ProxyPlace): string[] {
  const site = replaced(readSample('nginx.conf'), [
    ['127.0.0.1:3000', upstream],
    ['listen 80', `listen 127.0.0.1:${plainPort}`],
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['/etc/ssl/transactions.pem', `${folder}/cert.pem`],
    ['/etc/ssl/private/transactions.key', `${folder}/key.pem`],
  ]);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const text = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; ${folders.join(' ')}\n${site} }\n`;
  writeFileSync(`${folder}/nginx.conf`, text);
  return ['-p', folder, '-c', `${folder}/nginx.conf`];
}

function caddy({ folder, port, plainPort, upstream }: ProxyPlace): string[] {
  const site = replaced(readSample('Caddyfile'), [
    ['127.0.0.1:3000', upstream],
    ['http://transactions.example {', `http://transactions.example:${plainPort} {\n\tbind 127.0.0.1`],
    [
      '\ntransactions.example {',
      `\nhttps://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
    ],
  ]);
  writeFileSync(`${folder}/Caddyfile`, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
  return ['--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'];
}

const OWN_USER = ['    user haproxy\n    group haproxy\n', ''] as const;

function haproxy({
  folder,
  port,
  plainPort,
  operatorPort,
  upstream,
  operatorUpstream,
}: ProxyPlace): string[] {
  const text = replaced(readSample('haproxy.cfg'), [
    OWN_USER,
    ['127.0.0.1:3000', upstream],
    ['127.0.0.1:3001', operatorUpstream],
    ['bind :80\n', `bind 127.0.0.1:${plainPort}\n`],
    ['bind :443 ', `bind 127.0.0.1:${port} `],
    ['bind :3443 ', `bind 127.0.0.1:${operatorPort} `],
    ['/etc/haproxy/transactions.pem', `${folder}/transactions.pem`],
  ]);
  const pem = ['cert.pem', 'key.pem'].map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  writeFileSync(`${folder}/transactions.pem`, pem.join(''), { mode: 0o600 });
  writeFileSync(`${folder}/haproxy.cfg`, text);
  return ['-f', `${folder}/haproxy.cfg`];
}

interface Instance {
  address: string;
  operatorAddress: string;
}

type Pair = readonly [string, string];

const adding =
  (file: string, pairs: (place: ProxyPlace, added: Instance) => readonly Pair[]) =>
  (args: string[], place: ProxyPlace, added: Instance): string[] => {
    const path = `${place.folder}/${file}`;
    writeFileSync(path, replaced(readFileSync(path, 'utf8'), pairs(place, added)));
    return args;
  };

export const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    configure: nginx,
    hasOperator: false,
    addInstance: adding('nginx.conf', ({ upstream }, { address }) => [
      [
        `    server ${upstream} fail_timeout=2s;\n`,
        `    server ${upstream} fail_timeout=2s;\n    server ${address} fail_timeout=2s;\n`,
      ],
    ]),
  },
  caddy: {
    configure: (place) => ['run', ...caddy(place)],
    hasOperator: false,
    addInstance: adding('Caddyfile', ({ upstream }, { address }) => [
      [`reverse_proxy ${upstream} {`, `reverse_proxy ${upstream} ${address} {`],
    ]),
  },
  haproxy: {
    configure: haproxy,
    hasOperator: true,
    addInstance: adding('haproxy.cfg', (place, added) =>
      (
        [
          [place.upstream, added.address],
          [place.operatorUpstream, added.operatorAddress],
        ] as const
      ).map(([first, second]) => [
        `    server a ${first}\n`,
        `    server a ${first}\n    server b ${second}\n`,
      ]),
    ),
  },
};

export const postgresProxySample = (): string => replaced(readSample('haproxy-postgresql.cfg'), [OWN_USER]);
