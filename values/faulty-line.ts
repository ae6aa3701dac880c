export interface FaultyLine {
  line: number;
  /** The faulty place, for example `column amount`. */
  place: string | null;
  cause: string;
  detail: string;
}

/** Removes numbers and quoted texts, so that the same fault always has the same message. */
export const causeOf = (message: string) => message.replace(/["'].*["']/s, '""').replace(/\d+/g, '0');
