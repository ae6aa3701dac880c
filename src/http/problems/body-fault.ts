/** A fault in a request body, at the field that a JSON pointer names. */
export interface BodyFault {
  pointer: string;
  detail: string;
}

/** A fault of a field at the top level of the body. Source: RFC 6901. */
export function bodyFault(field: string, detail: string): BodyFault {
  return { pointer: `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail };
}
