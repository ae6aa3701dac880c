import pg from 'pg';

interface Notice {
  message: string;
  detail?: string;
}

export async function noticesDuring(work: () => Promise<void>): Promise<Notice[]> {
  const notices: Notice[] = [];
  const prototype = pg.Client.prototype as unknown as {
    emit(event: string, ...values: unknown[]): boolean;
  };
  const { emit } = prototype;
  prototype.emit = function (event, ...values) {
    if (event === 'notice') notices.push(values[0] as Notice);
    return emit.call(this, event, ...values);
  };
  try {
    await work();
  } finally {
    prototype.emit = emit;
  }
  return notices;
}
