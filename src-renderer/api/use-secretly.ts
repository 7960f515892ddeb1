import { useEffect, useRef, useState } from 'react';

/**
 * Does one thing whose input or outcome is secret. Not by `useMutation`: its cache keeps both for minutes.
 * @returns `go`, whose promise is undefined where it failed: `error` says why
 */
export function useSecretly<Input, Result>(run: (input: Input) => Promise<Result>) {
  const [state, setState] = useState<{ pending: boolean; error?: unknown }>({ pending: false });
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  const tell = (next: { pending: boolean; error?: unknown }) => {
    if (!left.current) setState(next);
  };
  const go = async (input: Input): Promise<Result | undefined> => {
    tell({ pending: true });
    try {
      const result = await run(input);
      tell({ pending: false });
      return result;
    } catch (error) {
      tell({ pending: false, error });
      return undefined;
    }
  };
  return { ...state, go, reset: () => tell({ pending: false }) };
}
