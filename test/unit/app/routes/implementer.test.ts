import { EventEmitter, on } from 'node:events';
import { call } from '@orpc/server';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { implementer } from '../../../../src-main/app/routes/implementer.ts';

const logged: string[] = [];
const log = pino({ level: 'info' }, { write: (line) => logged.push(line) });

it('does not take a page that goes away for a failure, in a call or in a stream', async () => {
  const { os, named } = implementer(log).domain('node');
  const page = new AbortController();
  const stream = named(on(new EventEmitter(), 'event', { signal: page.signal })).next();
  page.abort();
  await expect(stream).rejects.toMatchObject({ data: { code: 'CANCELLED' } });
  const route = os.status.handler(() => page.signal.throwIfAborted() as never);
  await expect(call(route, {})).rejects.toMatchObject({ data: { code: 'CANCELLED' } });
  expect(logged).toEqual([]);
});

it('logs what has no name', async () => {
  const { os } = implementer(log).domain('node');
  const route = os.status.handler(() => {
    throw new TypeError('a mistake');
  });
  await expect(call(route, {})).rejects.toMatchObject({ data: { code: 'INTERNAL' } });
  expect(logged).toEqual([expect.stringContaining('a mistake')]);
});
