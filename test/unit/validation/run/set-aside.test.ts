import { expect, it } from 'vitest';
import { SetAside } from '../../../../src-main/validation/run/set-aside.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';

const failed = (message: string) => new QuarryError({ code: 'WORKER_LOST', message }, { cause: new Error('long') });

it('keeps what failed of those alone that are there', () => {
  const aside = new SetAside({ firstMs: 1_000 });
  for (const name of ['a', 'b', 'c']) aside.add(name, failed(name), 0);
  aside.keepOnly(new Set(['b', 'd']));
  expect(['a', 'b', 'c', 'd'].filter((name) => aside.knows(name))).toEqual(['b']);
  expect(aside.has('b', 500)).toBe(true);
});

it('keeps of an error what is told, and no cause', () => {
  const aside = new SetAside({ firstMs: 1_000 });
  aside.add('a', failed('it said nothing'), 0);
  expect(aside.error?.toJSON()).toEqual(failed('it said nothing').toJSON());
  expect(aside.error?.cause).toBeUndefined();
});

it('leaves what fails again alone for longer, and begins anew with what did what it should', () => {
  const aside = new SetAside({ firstMs: 1_000, longestMs: 60_000 });
  for (let count = 0; count < 4; count++) aside.add('often', failed('again'), 0);
  aside.add('once', failed('once'), 0);
  expect([aside.has('once', 1_600), aside.has('often', 3_000)]).toEqual([false, true]);
  aside.delete('often');
  aside.add('often', failed('once more'), 0);
  expect(aside.has('often', 1_600)).toBe(false);
});
