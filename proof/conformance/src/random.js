/** A small seeded generator (mulberry32): the same seed and name give the same values. */
export class Random {
  #state;

  /** @param {number} seed @param {string} name */
  constructor(seed, name) {
    let state = seed >>> 0;
    for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 0x9e3779b1) >>> 0;
    this.#state = state;
  }

  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} below */
  below(below) {
    return Math.floor(this.fraction() * below);
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  pick(items) {
    return items[this.below(items.length)];
  }

  /** @template T @param {readonly T[]} items @param {number} count */
  sample(items, count) {
    const rest = [...items];
    const picked = [];
    while (picked.length < count && rest.length > 0) picked.push(...rest.splice(this.below(rest.length), 1));
    return picked;
  }

  /** @param {number} length */
  letters(length) {
    return Array.from({ length }, () => this.pick([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join('');
  }
}
