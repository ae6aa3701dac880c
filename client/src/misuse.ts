/** Not a method of each class, because bundlers keep an unused class that has a computed method name. */
export function showPlace(name: string, list: { toJSON(): object }): void {
  const value = (_: number, options: object, inspect: (value: object, options: object) => string) =>
    `${name} ${inspect(list.toJSON(), options)}`;
  Object.defineProperty(list, Symbol.for('nodejs.util.inspect.custom'), { value });
}

/** Only pages have `data`. Without this getter, `data` of a list would silently be undefined. */
export const refuseData = <Read extends object>(read: Read, or = ''): Read =>
  Object.defineProperty(read, 'data', {
    get() {
      throw new TypeError(`This is not a page and has no data: write for await (const one of ...)${or}.`);
    },
  });
