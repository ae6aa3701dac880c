type Members = Record<string, unknown>;

interface Response {
  headers?: Members;
  content?: Record<string, { examples?: Members }>;
}

/** The part of an OpenAPI document that this file reads. */
interface Document {
  components?: Members;
  paths?: Record<string, Record<string, { responses?: Record<string, Response> }>>;
}

/**
 * Writes each header and each example once, as a component that the responses refer to. An error that several operations describe with
 * examples of their own has a component for each: `not_found`, `not_found-2`.
 */
export function shareComponents(openapi: object): object {
  const document = openapi as Document;
  const headers = new Components('headers');
  const examples = new Components('examples');
  const shareResponse = (response: Response): Response => ({
    ...response,
    ...(response.headers && { headers: headers.share(response.headers) }),
    ...(response.content && {
      content: mapValues(response.content, (body) => ({
        ...body,
        ...(body.examples && { examples: examples.share(body.examples) }),
      })),
    }),
  });
  const paths = mapValues(document.paths ?? {}, (path) =>
    mapValues(path, (operation) => ({
      ...operation,
      ...(operation.responses && { responses: mapValues(operation.responses, shareResponse) }),
    })),
  );
  const components = { ...document.components, headers: headers.values, examples: examples.values };
  return { ...document, components, paths };
}

class Components {
  readonly values: Members = {};
  readonly #kind: string;
  readonly #nameOf = new Map<string, string>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  share(members: Members): Members {
    return Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, { $ref: this.#reference(name, value) }]),
    );
  }

  #reference(name: string, value: unknown): string {
    const text = `${name} ${JSON.stringify(value)}`;
    const shared = this.#nameOf.get(text) ?? this.#freeName(name);
    this.#nameOf.set(text, shared);
    this.values[shared] = value;
    return `#/components/${this.#kind}/${shared}`;
  }

  #freeName(name: string): string {
    let free = name;
    for (let number = 2; Object.hasOwn(this.values, free); number++) free = `${name}-${number}`;
    return free;
  }
}

const mapValues = <Value, Mapped>(values: Record<string, Value>, map: (value: Value) => Mapped) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
