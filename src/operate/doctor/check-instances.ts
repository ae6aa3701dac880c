import { counted } from '../../../values/counted.ts';
import type { NotedInstance, SharedSettings } from '../../instances/instance.ts';
import { type Finding, ok, unknown, warning, wrong } from './finding.ts';

export function checkInstances(instances: readonly NotedInstance[]): Finding[] {
  if (instances.length === 0)
    return [
      unknown(
        'settings',
        'no instance serves this database',
        'start the service, or search its log for "could not store this instance"',
      ),
    ];
  const names = Object.keys(instances[0]?.settings ?? {}).filter((name) => !isEqual(instances, name));
  const hosts = instances.map(({ host }) => host).join(', ');
  const equal = ok('settings', `equal on ${counted(instances.length, 'instance')} (${hosts})`);
  return [
    ...(names.length === 0 ? [equal] : names.map((name) => differs(instances, name))),
    checkVersions(instances),
  ];
}

const isEqual = (instances: readonly NotedInstance[], name: string) =>
  new Set(instances.map(({ settings }) => JSON.stringify(settings[name]))).size === 1;

function differs(instances: readonly NotedInstance[], name: string): Finding {
  const values = instances.map(({ settings }) => settings[name]);
  const secrets = values.filter((value) => Array.isArray(value)) as (readonly string[])[];
  if (secrets.length < values.length)
    return wrong(
      'settings',
      `${name} differs: ${groups(instances, (settings) => `"${settings[name] ?? ''}"`)}`,
      'give all instances the same value, and restart those that differ',
    );
  // An instance encrypts with the first secret of its list, and decrypts with all of them. During a rotation,
  // the lists may differ, but every instance can decrypt what any other encrypts.
  const isRotation = secrets.every((all) =>
    secrets.every(([first]) => first !== undefined && all.includes(first)),
  );
  const found = `${name} differs: ${groups(instances, (settings) => ordinalOf(secrets, settings[name]))}`;
  return isRotation
    ? warning(
        'settings',
        `${found}; each decrypts what the others encrypt`,
        'end the rotation of the secret on all instances',
      )
    : wrong('settings', found, 'give all instances the same secrets, and restart those that differ');
}

const groups = (instances: readonly NotedInstance[], shown: (settings: SharedSettings) => string) =>
  [...Map.groupBy(instances, ({ settings }) => shown(settings))]
    .map(([value, same]) => `${value} on ${same.map(({ host }) => host).join(', ')}`)
    .join('; ');

function ordinalOf(lists: readonly (readonly string[])[], list: SharedSettings[string] | undefined): string {
  const distinct = [...new Set(lists.map((list) => JSON.stringify(list)))];
  return (list?.length ?? 0) === 0 ? 'none' : `value ${distinct.indexOf(JSON.stringify(list)) + 1}`;
}

function checkVersions(instances: readonly NotedInstance[]): Finding {
  const versions = Map.groupBy(instances, ({ version }) => version);
  if (versions.size === 1) return ok('version', [...versions.keys()].join());
  const found = [...versions].map(
    ([version, same]) => `${version} on ${same.map(({ host }) => host).join(', ')}`,
  );
  return warning(
    'version',
    found.join('; '),
    'replace the instances of the older version, if no upgrade is under way',
  );
}
