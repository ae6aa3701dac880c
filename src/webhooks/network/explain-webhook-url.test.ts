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
