/** The forms of a noun after a number, by the rules of its language. */
export interface Forms {
  one: string;
  other: string;
  /** The French form after whole millions. */
  many?: string;
}
