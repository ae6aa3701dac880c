import { useLayoutEffect, useReducer } from 'preact/hooks';

export class Signal<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  use(): Value {
    const rendered = this.#value;
    const [, render] = useReducer<number, void>((count) => count + 1, 0);
    useLayoutEffect(() => {
      this.#listeners.add(render);
      if (this.#value !== rendered) render();
      return () => this.#listeners.delete(render);
    }, []);
    return rendered;
  }
}
