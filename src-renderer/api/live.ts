import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { QuarryError } from '../../src-preload/contract/errors.ts';
import { useConnection } from './connection.ts';
import { toQuarryError } from './errors.ts';

/** Opens a stream of main: `(signal) => client.node.watch(undefined, { signal })`. */
type OpenStream<T> = (signal: AbortSignal) => Promise<AsyncIterable<T>>;

const RETRY_MS = 1_000;

/**
 * Hands every event of a stream to `onEvent` as long as the component is shown; opened again when the connection comes back
 * or `key` changes. Gives back why it is not running; undefined while it is, and while the connection is lost, which is told elsewhere.
 */
export function useLive<T>(open: OpenStream<T>, onEvent: (event: T) => void, key = ''): QuarryError | undefined {
  const connected = useConnection(({ state }) => state === 'open');
  const [error, setError] = useState<QuarryError>();
  const latest = useRef({ open, onEvent });
  latest.current = { open, onEvent };

  useEffect(() => {
    setError(undefined);
    if (!connected) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async () => {
      try {
        for await (const event of await latest.current.open(signal)) {
          if (signal.aborted) return;
          setError(undefined);
          latest.current.onEvent(event);
        }
      } catch (cause) {
        if (signal.aborted) return;
        const failure = toQuarryError(cause);
        setError(failure);
        if (!failure.retryable) return;
      }
      if (!signal.aborted) timer = setTimeout(run, RETRY_MS);
    };
    void run();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [connected, key]);
  return connected ? error : undefined;
}

/**
 * The newest event of a stream; undefined before the first. An event like the one before draws nothing anew, and what in it is as it was is
 * the same object, for components that go by that (`memo`).
 */
export function useLiveValue<T>(
  open: OpenStream<T>,
  key = '',
): { value: T | undefined; error: QuarryError | undefined } {
  const [value, setValue] = useState<T>();
  const error = useLive(open, (event) => setValue((before) => replaceEqualDeep(before, event)), key);
  return { value, error };
}
