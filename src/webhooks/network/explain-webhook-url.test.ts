import assert from 'node:assert/strict';
import { test } from 'node:test';
import { URL_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { addressRules } from './address-rules.ts';
import { explainWebhookUrl } from './explain-webhook-url.ts';

const explain = (url: string, { allowsHttp = false, networks = [] as string[] } = {}) =>
  explainWebhookUrl(url, { allowsHttp, forbiddenBy: addressRules(networks) });

test('https URLs of names and public addresses are accepted, without resolving the name', () => {
  for (const url of [
    'https://shop.example',
    'HTTPS://shop.example/hooks?token=a%20b&c=d',
    'https://shop.example:8443/hooks',
    'https://shop.example./',
    'https://bücher.example/',
    'https://8.8.8.8/hooks',
    'https://[2001:4860:4860::8888]:444/hooks',
    'https://localhost.example/',
    'https://notlocalhost/',
    `https://shop.example/${'a'.repeat(URL_MAX_CHARACTERS - 21)}`,
  ])
    assert.equal(explain(url), undefined, url);
});

const OWN_MACHINE = '; for a receiver on your own machine, run transactions webhooks listen';

test('each fault has its sentence', () => {
  for (const [url, fault] of [
    [
      `https://shop.example/${'a'.repeat(URL_MAX_CHARACTERS - 20)}`,
      'has 2049 characters; at most 2048 are allowed',
    ],
    ['', 'must begin with https://'],
    ['http://shop.example/', 'must begin with https://'],
    ['ftp://shop.example/', 'must begin with https://'],
    ['https:shop.example', 'must begin with https://'],
    ['https:\\\\shop.example', 'must begin with https://'],
    [' https://shop.example', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['https://', 'is not a URL; write it as https://HOST/PATH'],
    ['https://shop.example:99999/', 'is not a URL; write it as https://HOST/PATH'],
    ['https://shop .example/', 'is not a URL; write it as https://HOST/PATH'],
    ['https://shop.example/a\nb', 'is not a URL; write it as https://HOST/PATH'],
    ['https://shop.example\\@10.0.0.1/', 'is not a URL; write it as https://HOST/PATH'],
    ['https://1.2.3.4.5/', 'is not a URL; write it as https://HOST/PATH'],
    ['https://256.0.0.1/', 'is not a URL; write it as https://HOST/PATH'],
    [
      'https://user:secret@shop.example/',
      'must have no user name and no password; receivers verify the signature of each delivery',
    ],
    [
      'https://user@shop.example/',
      'must have no user name and no password; receivers verify the signature of each delivery',
    ],
    ['https://shop.example/#part', 'must have no fragment, which is never sent'],
    ['https://shop.example/#', 'must have no fragment, which is never sent'],
    ['https://10.0.0.1/', 'has a host whose address is not public: private network'],
    ['https://0x7f.1/', 'has a host whose address is not public: loopback network'],
    ['https://[::1]/', `has a host whose address is not public: loopback network${OWN_MACHINE}`],
    ['https://LocalHost:8443/', `has a host whose address is not public: loopback network${OWN_MACHINE}`],
    ['http://localhost:8080/', `must begin with https://${OWN_MACHINE}`],
    ['https://a.localhost./', 'has a host whose address is not public: loopback network'],
  ] as const)
    assert.equal(explain(url), fault, url);
});

test('with WEBHOOK_HTTP, http URLs are accepted too, and their hosts are checked as well', () => {
  const options = { allowsHttp: true };
  assert.equal(explain('http://shop.example/', options), undefined);
  assert.equal(explain('https://shop.example/', options), undefined);
  assert.equal(explain('ftp://shop.example/', options), 'must begin with https:// or http://');
  assert.equal(explain('http://', options), 'is not a URL; write it as http://HOST/PATH');
  assert.match(explain('http://192.168.0.1/', options) ?? '', /private network$/);
});

test('with WEBHOOK_NETWORKS, their addresses are accepted; localhost is if one of its addresses is', () => {
  const options = { networks: ['127.0.0.0/8'] };
  for (const url of ['https://127.0.0.1/', 'https://0x7f.1/', 'https://localhost/'])
    assert.equal(explain(url, options), undefined, url);
  assert.equal(explain('https://localhost/', { networks: ['::1'] }), undefined);
  assert.match(explain('https://[::1]/', options) ?? '', /loopback network;/);
});
