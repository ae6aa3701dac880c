type Members = Record<string, unknown>;

interface Body {
  schema?: Members;
  examples?: Members;
}

interface Response {
  headers?: Members;
  content?: Record<string, Body>;
}

/** The part of an OpenAPI document that this file reads. */
interface Document {
  components?: Record<string, Members>;
  paths?: Record<string, Record<string, { responses?: Record<string, Response> }>>;
}

/**
 * Writes each header, each example and each set of error codes once, as a component that the responses refer to. If several have one name,
 * the others get numbers: `not_found`, `not_found-2`.
 */
export function shareComponents(openapi: object): object {
  const document = openapi as Document;
  const headers = new Components('headers');
  const examples = new Components('examples');
  const schemas = new Components('schemas', document.components?.['schemas']);
  const shareBody = (body: Body, status: string): Body => ({
    ...body,
    ...(body.schema?.['allOf'] !== undefined && { schema: schemas.share(`Problem${status}`, body.schema) }),
    ...(body.examples && { examples: examples.shareAll(body.examples) }),
  });
  const shareResponse = (response: Response, status: string): Response => ({
    ...response,
    ...(response.headers && { headers: headers.shareAll(response.headers) }),
    ...(response.content && { content: mapValues(response.content, (body) => shareBody(body, status)) }),
  });
  const paths = mapValues(document.paths ?? {}, (path) =>
    mapValues(path, (operation) => ({
      ...operation,
      ...(operation.responses && { responses: mapValues(operation.responses, shareResponse) }),
    })),
  );
  const shared = { schemas: schemas.values, headers: headers.values, examples: examples.values };
  return { ...document, components: { ...document.components, ...shared }, paths };
}

class Components {
  readonly values: Members;
  readonly #kind: string;
  readonly #nameOf = new Map<string, string>();

  constructor(kind: string, values: Members = {}) {
    this.#kind = kind;
    this.values = { ...values };
  }

  shareAll(members: Members): Members {
    return mapValues(members, (value, name) => this.share(name, value));
  }

  share(name: string, value: unknown): { $ref: string } {
    const text = `${name} ${JSON.stringify(value)}`;
    const shared = this.#nameOf.get(text) ?? this.#freeName(name);
    this.#nameOf.set(text, shared);
    this.values[shared] = value;
    return { $ref: `#/components/${this.#kind}/${shared}` };
  }

  #freeName(name: string): string {
    let free = name;
    for (let number = 2; Object.hasOwn(this.values, free); number++) free = `${name}-${number}`;
    return free;
  }
}

const mapValues = <Value, Mapped>(
  values: Record<string, Value>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
