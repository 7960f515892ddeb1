/** So long a test waits for something that has to come: only one that fails waits to the end of it. Milliseconds. */
export const PATIENCE_MS = 60_000;
