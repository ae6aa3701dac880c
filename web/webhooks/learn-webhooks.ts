/** Whether a key has the scope `webhooks`; undefined if the service does not say so now. */
export async function learnWebhooks(apiKey: string, signal: AbortSignal): Promise<boolean | undefined> {
  // HEAD, because only the status matters. The client sends only GET.
  const { status } = await fetch('/v1/webhooks', {
    method: 'HEAD',
    headers: { authorization: `Bearer ${apiKey}` },
    signal,
    redirect: 'manual',
    cache: 'no-store',
    credentials: 'omit',
  });
  return status === 200 ? true : status === 403 ? false : undefined;
}
