/** What is wrong with one parameter of a query, and what would be right. */
export interface ParameterFault<Code extends string = string> {
  parameter: string;
  code: Code;
  detail: string;
}
