import { buildApp } from '../../scripts/build-app.ts';

/** Vitest's global setup of the end-to-end tests. */
export function setup(): void {
  buildApp();
}
