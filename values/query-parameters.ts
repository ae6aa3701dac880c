import { type FaultList, MAX_SUGGESTIONS, type ParameterFault } from './fault-list.ts';
import { knownNames } from './known-names.ts';
import { hintFor } from './parameter-hints.ts';
import { quote } from './quote.ts';

export interface ParameterRule<Code extends string> {
  isValid: (value: string) => boolean;
  code: Code;
  explain: (value: string) => string;
}

type ParameterRules<Name extends string, Code extends string> = Readonly<Record<Name, ParameterRule<Code>>>;

type ParameterFaultCode = 'unknown_parameter' | 'duplicate_parameter';

export function readParameters<Name extends string, Code extends string>(
  parameters: Readonly<Record<string, string | string[] | undefined>>,
  rules: ParameterRules<Name, Code>,
  explainName: (name: string) => string | undefined,
  faults: Pick<FaultList<ParameterFault<Code | ParameterFaultCode>>, 'add' | 'count'>,
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {};
  for (const name in parameters) {
    const value = parameters[name] as string | string[];
    if (!isParameter(name, rules)) {
      const detail =
        explainName(name) ??
        hintFor(name, Object.keys(rules)) ??
        explainUnknown(name, rules, faults.count < MAX_SUGGESTIONS);
      faults.add({ parameter: name, code: 'unknown_parameter', detail });
    } else if (typeof value !== 'string') {
      const advice = new Set(value).size === 1 ? 'Send it once' : 'Send one request for each value';
      const detail = `${name} is sent more than once. ${advice}.`;
      faults.add({ parameter: name, code: 'duplicate_parameter', detail });
    } else if (rules[name].isValid(value)) {
      values[name] = value;
    } else {
      const { code, explain } = rules[name];
      faults.add({ parameter: name, code, detail: explain(value) });
    }
  }
  return values;
}

function isParameter<Name extends string>(name: string, rules: Record<Name, unknown>): name is Name {
  return Object.hasOwn(rules, name);
}

function explainUnknown(name: string, rules: object, isNearestSearched: boolean): string {
  return `${quote(name)} is not a parameter${knownNames(name, Object.keys(rules), 'parameters', isNearestSearched)}.`;
}
