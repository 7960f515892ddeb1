/**
 * For `catch`: any failure gives undefined, and this is why that is right: a clause for the reader. A bare handler is refused
 * by a test; what a person should know goes to `tellError`.
 */
export function ignoring(_reason: string): () => undefined {
  return () => undefined;
}
