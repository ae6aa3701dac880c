/*
 * Functions between objects and the arrays of their values. They are compiled from lists of names when the program starts, because a
 * loop over the names takes seven times as long for each row. The names are constants of the program, never data.
 */

/** A function that makes an object of values, which are in the order of the names of its properties. */
export const objectOfValues = <Made>(names: readonly string[]): ((values: readonly unknown[]) => Made) =>
  compile('values', `({ ${names.map((name, at) => `${identifier(name)}: values[${at}]`).join(', ')} })`);

/** The inverse: a function that makes an array of an object's properties, in the order of their names. */
export const valuesOfObject = <Given extends object, Value>(
  names: readonly (keyof Given & string)[],
): ((given: Given) => Value[]) =>
  compile('given', `[${names.map((name) => `given.${identifier(name)}`).join(', ')}]`);

/** A function that makes an object of the results of a reader's methods, called in the order of the properties. */
export const objectOfReads = <Reader extends object, Made>(
  methods: readonly (readonly [name: string, method: keyof Reader & string])[],
): ((reader: Reader) => Made) =>
  compile(
    'reader',
    `({ ${methods.map(([name, method]) => `${identifier(name)}: reader.${identifier(method)}()`).join(', ')} })`,
  );

const compile = <Compiled>(parameter: string, expression: string): Compiled =>
  new Function(parameter, `return ${expression};`) as Compiled;

function identifier(name: string): string {
  if (!/^[A-Za-z]+$/.test(name)) throw new Error(`${name} is not a name of letters`);
  return name;
}
