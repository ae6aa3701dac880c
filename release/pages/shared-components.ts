interface OperationItem {
  parameters?: readonly { name: string }[] | undefined;
  responses: Readonly<Record<string, ResponseItem>>;
}

export interface ResponseItem {
  headers?: Readonly<Record<string, object>>;
  [other: string]: unknown;
}

interface Components {
  parameters: Readonly<Record<string, object>>;
  headers: Readonly<Record<string, object>>;
}

/** If operations define the same name differently, only the most frequent definition becomes a component. */
export function shareComponents<Item extends OperationItem>(
  items: readonly Item[],
): { items: Item[]; components: Components } {
  const parameters = sharedOf(
    items.flatMap((item) => (item.parameters ?? []).map((parameter) => [parameter.name, parameter])),
  );
  const headers = sharedOf(
    items.flatMap(({ responses }) =>
      Object.values(responses).flatMap((response) => Object.entries(response.headers ?? {})),
    ),
  );
  const refer = (kind: keyof Components, shared: Shared, name: string, value: object) =>
    JSON.stringify(shared[name]) === JSON.stringify(value) ? { $ref: `#/components/${kind}/${name}` } : value;

  const shortened = items.map((item) => ({
    ...item,
    ...(item.parameters && {
      parameters: item.parameters.map((parameter) =>
        refer('parameters', parameters, parameter.name, parameter),
      ),
    }),
    responses: mapValues(item.responses, (response) =>
      response.headers === undefined
        ? response
        : {
            ...response,
            headers: mapValues(response.headers, (header, name) => refer('headers', headers, name, header)),
          },
    ),
  }));
  return { items: shortened as Item[], components: { parameters, headers } };
}

type Shared = Readonly<Record<string, object>>;

function sharedOf(uses: readonly (readonly [name: string, value: object])[]): Shared {
  const shared: Record<string, object> = {};
  for (const [name, named] of Map.groupBy(uses, ([name]) => name)) {
    const same = [...Map.groupBy(named, ([, value]) => JSON.stringify(value)).values()];
    const [most = []] = same.toSorted((left, right) => right.length - left.length);
    const [use] = most;
    if (use !== undefined && most.length > 1 && !('$ref' in use[1])) shared[name] = use[1];
  }
  return shared;
}

const mapValues = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
