/** The fault of one parameter of a query, and its correction. */
export interface ParameterFault<Code extends string = string> {
  parameter: string;
  code: Code;
  detail: string;
}
