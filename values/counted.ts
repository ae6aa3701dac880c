export const number = (value: number) => value.toLocaleString('en');

export const counted = (count: number, one: string, many = `${one}s`) =>
  `${number(count)} ${count === 1 ? one : many}`;

export const lineCount = (count: number) => counted(count, 'line');
