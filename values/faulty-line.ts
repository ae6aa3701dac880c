export interface FaultyLine {
  line: number;
  /** The faulty place, for example `column amount`. */
  place: string | null;
  cause: string;
  detail: string;
}

/** Replaces numbers and quoted texts, so that the same fault gives the same cause on every line. */
export const causeOf = (message: string) => message.replace(/["'].*["']/s, '""').replace(/\d+/g, '0');
