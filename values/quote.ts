const SHOWN_CHARACTERS = 60;

export function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text);
}
