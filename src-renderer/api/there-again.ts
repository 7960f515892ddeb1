const waiting = new Set<() => void>();

/** Calls back whenever the way to main is there again. @returns what ends that */
export function onThereAgain(back: () => void): () => void {
  waiting.add(back);
  return () => waiting.delete(back);
}

/** Said by the connection, when it is made. */
export function tellThereAgain(): void {
  for (const back of [...waiting]) back();
}
