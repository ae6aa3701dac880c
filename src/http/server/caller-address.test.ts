import assert from 'node:assert/strict';
import { test } from 'node:test';
import { peerNetwork } from './caller-address.ts';

test('the network of a peer does not depend on the zone of its address', () => {
  for (const zone of ['', '%eth0', '%br-lan', '%eth0.100', '%3']) {
    assert.equal(peerNetwork(`fe80::1${zone}`), 'fe80:0:0:0::/64');
    assert.equal(peerNetwork(`::ffff:192.0.2.1${zone}`), '192.0.2.1');
  }
  assert.equal(peerNetwork('192.0.2.1'), '192.0.2.1');
});
