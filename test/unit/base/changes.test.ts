import { expect, it } from 'vitest';
import { Changes } from '../../../src-main/base/changes.ts';

const never = new AbortController().signal;

it('wakes those who wait, and those who come late', async () => {
  const changes = new Changes();
  const waiting = changes.after(0, never);
  changes.tell();
  await waiting;
  await changes.after(0, never);
  expect(changes.count).toBe(1);
});

it('waits no longer than it is told to, nor beyond the signal', async () => {
  const changes = new Changes();
  await changes.after(0, never, 1);
  const leaving = new AbortController();
  const waiting = changes.after(0, leaving.signal);
  leaving.abort();
  await waiting;
  await changes.after(0, leaving.signal);
  expect(changes.count).toBe(0);
});
