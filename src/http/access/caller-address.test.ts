import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peerNetwork } from './caller-address.ts';

test("a connection's other end has a network, whatever the interface of its zone is called", () => {
  for (const zone of ['', '%eth0', '%br-lan', '%eth0.100', '%3']) {
    assert.equal(peerNetwork(`fe80::1${zone}`), 'fe80:0:0:0::/64');
    assert.equal(peerNetwork(`::ffff:192.0.2.1${zone}`), '192.0.2.1');
  }
  assert.equal(peerNetwork('192.0.2.1'), '192.0.2.1');
});
