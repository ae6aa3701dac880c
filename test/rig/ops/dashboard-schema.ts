import { list, object } from '../http/closed-schema.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const size = { type: 'integer', minimum: 1, maximum: 24 };
const place = { type: 'integer', minimum: 0 };
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's notation of a variable
const datasource = object({ 'type!': { const: 'prometheus' }, 'uid!': { const: '${datasource}' } });
const target = object({
  'refId!': { type: 'string', pattern: '^[A-Z]$' },
  'expr!': text,
  'legendFormat!': text,
});
const panel = object({
  'id!': { type: 'integer', minimum: 1 },
  'type!': { const: 'timeseries' },
  'title!': text,
  'datasource!': datasource,
  'gridPos!': object({ 'h!': size, 'w!': size, 'x!': place, 'y!': place }),
  'fieldConfig!': object({
    'defaults!': object({ unit: text }),
    'overrides!': { type: 'array', maxItems: 0 },
  }),
  'targets!': list(target),
});
const variable = {
  oneOf: [
    object({ 'name!': text, 'type!': { const: 'datasource' }, 'query!': text }),
    object({
      'name!': text,
      'label!': text,
      'type!': { const: 'query' },
      'datasource!': datasource,
      'query!': text,
      'refresh!': { enum: [0, 1, 2] },
      'sort!': { type: 'integer', minimum: 0, maximum: 8 },
      'multi!': flag,
      'includeAll!': flag,
      'allValue!': text,
      'current!': object({ 'text!': text, 'value!': text }),
    }),
  ],
};

/** The parts of Grafana's dashboard model that ops/dashboard.json uses. Any other field is refused. */
export const DASHBOARD = object({
  'title!': text,
  'uid!': { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,40}$' },
  'schemaVersion!': { const: 39 },
  'refresh!': text,
  'time!': object({ 'from!': text, 'to!': text }),
  'templating!': object({ 'list!': list(variable) }),
  'panels!': list(panel),
});
