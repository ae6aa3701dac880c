export interface ParameterFault<Code extends string = string> {
  parameter: string;
  code: Code;
  detail: string;
}
