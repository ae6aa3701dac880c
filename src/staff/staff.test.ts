import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  auditPrefixes,
  lookPrefixes,
  parseRole,
  rolesFor,
  rolesOf,
  type StaffRole,
  scopesFor,
} from './staff.ts';

const role = (text: string): StaffRole => {
  const parsed = parseRole(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed;
};

test('a role is a claim with a value, scopes, and perhaps the prefix of accounts', () => {
  const { id, ...parsed } = role('groups:eu=read+webhooks+audit@eu-');
  assert.deepEqual(parsed, {
    member: 'groups:eu',
    scopes: ['read', 'webhooks', 'audit'],
    accountPrefix: 'eu-',
  });
  assert.match(id, /^[A-Za-z0-9_-]{12}$/);
  const named = role('https://corp.example/roles:support@corp.example=read');
  assert.deepEqual(
    [named.member, named.accountPrefix],
    ['https://corp.example/roles:support@corp.example', null],
  );
});

test('a text that is not a role is refused, and the fault shows a role', () => {
  for (const [text, fault] of [
    ['groups=read', /^write claim:value=scopes, such as groups:support=read/],
    ['groups:support', /^write claim:value=scopes/],
    [':support=read', /^write claim/],
    ['groups:=read', /^write claim/],
    ['groups:support=', /^"" is not a scope/],
    ['groups:support=raed', /^"raed" is not a scope: did you mean read\?/],
    [
      'groups:support=record',
      /^"record" is not a scope; the scopes of a role, several joined with \+, are read, webhooks, audit/,
    ],
    ['groups:support=read webhooks', /is not a scope/],
    ['groups:support=read@', /^the prefix must be 1 to 64 characters/],
    ['groups:support=read@eu*', /^the prefix must be/],
    ['groups:support=read@eu@de', /^write claim/],
  ] as const) {
    const parsed = parseRole(text);
    assert.match('fault' in parsed ? parsed.fault : '', fault, text);
  }
});

test('a person has the roles whose claim is or contains the value, and no others', () => {
  const roles = [role('groups:support=read'), role('realm_access.roles:eu=read'), role('a.b:x=read')];
  const idsOf = (claims: object) =>
    rolesOf(roles, claims as Record<string, unknown>).map(({ member }) => member.split(':').at(-1));
  assert.deepEqual(idsOf({ groups: ['sales', 'support'] }), ['support']);
  assert.deepEqual(idsOf({ groups: 'support' }), ['support']);
  assert.deepEqual(idsOf({ realm_access: { roles: ['eu'] } }), ['eu']);
  assert.deepEqual(idsOf({ 'a.b': 'x' }), ['x']);
  assert.deepEqual(idsOf({ 'a.b': 'y', a: { b: 'x' } }), []);
  const none = [
    {},
    { groups: [] },
    { groups: ['Support', 'support ', 'supporters', ['support']] },
    { groups: { support: 1 } },
    { groups: null },
    { realm_access: 'eu' },
  ];
  for (const claims of none) assert.deepEqual(idsOf(claims), [], JSON.stringify(claims));
  assert.deepEqual(rolesOf([role('constructor.name:Object=read'), role('toString:x=read')], {}), []);
});

test('a claim and its value can have colons', () => {
  for (const [text, claims, has] of [
    ['groups:urn:team:eu=read', { groups: ['urn:team:eu'] }, true],
    ['cognito:groups:support=read', { 'cognito:groups': ['support'] }, true],
    [
      'https://corp.example:8443/roles:eu:support=read',
      { 'https://corp.example:8443/roles': 'eu:support' },
      true,
    ],
    ['groups:urn:team:eu=read', { groups: ['urn', 'urn:team', 'eu', 'team:eu', ':urn:team:eu'] }, false],
  ] as const)
    assert.equal(rolesOf([role(text)], claims).length, has ? 1 : 0, text);
});

test('for an account, the scopes of the roles whose prefix it has add up', () => {
  const roles = [role('g:a=read'), role('g:b=webhooks+audit@eu-'), role('g:c=audit')];
  assert.deepEqual(scopesFor(roles, 'eu-1'), ['read', 'webhooks']);
  assert.deepEqual(scopesFor(roles, 'us-1'), ['read']);
  assert.deepEqual(scopesFor(roles.slice(1), 'us-1'), []);
  assert.deepEqual(
    rolesFor(roles, 'us-1').map(({ member }) => member),
    ['g:a', 'g:c'],
  );
});

test('a prefix that begins with another one is left out', () => {
  const roles = [
    role('g:a=read@eu-'),
    role('g:b=read@eu-de-'),
    role('g:c=webhooks@us-'),
    role('g:d=audit@x'),
  ];
  assert.deepEqual(lookPrefixes(roles), ['eu-', 'us-']);
  assert.deepEqual(auditPrefixes(roles), ['x']);
  assert.deepEqual(lookPrefixes([...roles, role('g:e=read')]), [null]);
  assert.deepEqual(lookPrefixes([]), []);
});
