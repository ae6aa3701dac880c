import { list, object } from '../http/closed-schema.ts';

/** The parts of the Kubernetes API that ops/kubernetes.yaml uses. Any other field is refused, as a server with strict validation does. */
const text = { type: 'string', minLength: 1 };
const name = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 };
const count = { type: 'integer', minimum: 1 };
const flag = { type: 'boolean' };
const labels = {
  type: 'object',
  additionalProperties: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,63}$' },
};
const strings = list(text);

const metadata = object({ 'name!': name, labels });
const selector = object({ 'matchLabels!': labels });
const port = { anyOf: [name, { type: 'integer', minimum: 1, maximum: 65_535 }] };
const probe = object({
  'httpGet!': object({ 'path!': { type: 'string', pattern: '^/' }, 'port!': port }),
  periodSeconds: count,
  timeoutSeconds: count,
  failureThreshold: count,
});
const quantity = { type: 'string', pattern: '^[0-9]+(m|Ki|Mi|Gi)?$' };
const quantities = object({ cpu: quantity, memory: quantity });
const container = object({
  'name!': name,
  'image!': text,
  args: strings,
  env: list(object({ 'name!': text, 'value!': { type: 'string' } })),
  envFrom: list(object({ 'secretRef!': object({ 'name!': name }) })),
  ports: list(object({ 'name!': { ...name, maxLength: 15 }, 'containerPort!': { type: 'integer' } })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: object({ 'preStop!': object({ 'sleep!': object({ 'seconds!': count }) }) }),
  resources: object({ requests: quantities, limits: quantities }),
  'securityContext!': object({
    'allowPrivilegeEscalation!': flag,
    'readOnlyRootFilesystem!': flag,
    'capabilities!': object({ 'drop!': strings }),
  }),
});
const template = object({
  'metadata!': object({ 'labels!': labels }),
  'spec!': object({
    restartPolicy: { enum: ['Always', 'OnFailure', 'Never'] },
    terminationGracePeriodSeconds: count,
    automountServiceAccountToken: flag,
    enableServiceLinks: flag,
    'securityContext!': object({
      'runAsNonRoot!': flag,
      'runAsUser!': count,
      'seccompProfile!': object({ 'type!': { enum: ['RuntimeDefault'] } }),
    }),
    'containers!': list(container),
  }),
});
const kind = (apiVersion: string, named: string, spec: object) =>
  object({
    'apiVersion!': { const: apiVersion },
    'kind!': { const: named },
    'metadata!': metadata,
    'spec!': spec,
  });

/** The schema of each kind. */
export const KINDS: Readonly<Record<string, object>> = {
  Job: kind('batch/v1', 'Job', object({ backoffLimit: count, 'template!': template })),
  Deployment: kind(
    'apps/v1',
    'Deployment',
    object({ replicas: count, 'selector!': selector, 'template!': template }),
  ),
  Service: kind(
    'v1',
    'Service',
    object({
      'selector!': labels,
      'ports!': list(object({ 'name!': name, 'port!': port, 'targetPort!': port })),
    }),
  ),
  NetworkPolicy: kind(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    object({
      'podSelector!': selector,
      'policyTypes!': list({ enum: ['Ingress', 'Egress'] }),
      ingress: list(
        object({ ports: list(object({ 'port!': port })), from: list(object({ 'podSelector!': selector })) }),
      ),
    }),
  ),
};
