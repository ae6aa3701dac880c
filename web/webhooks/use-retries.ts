import { useEffect, useRef, useState } from 'preact/hooks';
import type { WebhookFailurePage } from '../../client/src/webhook-endpoint.ts';
import { failureOf } from '../state/api.ts';
import type { Failure } from '../state/failure.ts';
import { endIfRefused } from '../state/signed-in.ts';

/** `requested`: the service will make the attempt. `gone`: the change was delivered in the meantime. */
export type RetryState = 'running' | 'requested' | 'gone';

export type Retries = ReturnType<typeof useRetries>;

export function useRetries(page: WebhookFailurePage | undefined, send: (sequence: number) => Promise<void>) {
  /** Failures that were not retried are absent. */
  const [states, setStates] = useState<ReadonlyMap<number, RetryState>>(new Map());
  const [failure, setFailure] = useState<Failure>();
  const [running, setRunning] = useState<{ done: number; count: number }>();
  const shown = useRef(page);
  shown.current = page;
  useEffect(() => {
    setStates(new Map());
    setFailure(undefined);
    setRunning(undefined);
    return () => {
      shown.current = undefined;
    };
  }, [page]);

  const isLeft = (sequence: number) => !states.has(sequence);
  const set = (sequence: number, state: RetryState | undefined) =>
    setStates((before) => {
      const after = new Map(before);
      if (state === undefined) after.delete(sequence);
      else after.set(sequence, state);
      return after;
    });
  const retryOne = async (sequence: number): Promise<boolean> => {
    set(sequence, 'running');
    const outcome = await send(sequence).then(() => undefined, failureOf);
    if (shown.current !== page) return false;
    if (outcome === undefined || outcome.kind === 'not-found') {
      set(sequence, outcome === undefined ? 'requested' : 'gone');
      return true;
    }
    set(sequence, undefined);
    setFailure(outcome);
    endIfRefused(outcome);
    return false;
  };
  const left = page?.data.map(({ sequence }) => sequence).filter(isLeft) ?? [];

  return {
    states,
    requested: [...states.values()].filter((state) => state === 'requested').length,
    left: left.length,
    failure,
    running,
    retry: (sequence: number) => {
      if (!isLeft(sequence) || running !== undefined) return;
      setFailure(undefined);
      retryOne(sequence);
    },
    retryAll: async () => {
      if (running !== undefined || left.length === 0) return;
      setFailure(undefined);
      for (const [done, sequence] of left.entries()) {
        setRunning({ done, count: left.length });
        if (!(await retryOne(sequence))) break;
      }
      if (shown.current === page) setRunning(undefined);
    },
  };
}
