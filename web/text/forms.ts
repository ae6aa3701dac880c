/** The forms of a noun beside a number, by the rules of its language. */
export interface Forms {
  one: string;
  other: string;
  /** In French, beside whole millions. */
  many?: string;
}
