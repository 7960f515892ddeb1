import { expect, it } from 'vitest';
import { chosen } from '../../../../src-main/app/validator/chosen.ts';
import { KnownEnvironments } from '../../../../src-main/app/validator/known-environments.ts';
import type { Dataset } from '../../../../src-main/store/results/stored-datasets.ts';
import { pose } from '../../../../src-main/validation/challenge.ts';
import { NO_REFERENCE } from '../../../support/no-reference.ts';

/** A data set of one row, by its id. */
function known(...ids: number[]) {
  const dataset = (id: number): Dataset => ({
    ...{ id, name: 'mine', kind: 'elr', source: '', licence: '', rows: 1, bytes: 1, importedAt: 0 },
    sha256: `${id}`.repeat(64),
  });
  let looked = 0;
  const datasets = {
    list: async () => {
      looked++;
      return [...ids.map(dataset), { ...dataset(9), name: 'odd', kind: 'from the future' }];
    },
    row: async (id: number) =>
      ids.includes(id) ? JSON.stringify({ problem: `Say ${id}.`, numerical_answer: id }) : undefined,
  };
  const environments = new KnownEnvironments(
    { run: async () => [] },
    async () => ({ datasets }) as never,
    NO_REFERENCE,
  );
  return { environments, ids, looked: () => looked };
}

it('data sets are asked by their names, and never where nothing is named', async () => {
  const { environments, looked } = known(1);
  const names = async (wanted?: string[]) =>
    chosen(await environments.lookFor(wanted), { environments: wanted }).map(({ environment }) => environment.name);
  expect(await names()).toEqual(['sat', 'abd', 'ded', 'elr', 'hvm']);
  expect(await names(['SAT'])).toEqual(['sat']);
  expect(await names(['quasar-needle', 'Quasar-Two-Hop'])).toEqual(['quasar-needle', 'quasar-two-hop']);
  expect(await names(['Quasar-Code'])).toEqual(['quasar-code']);
  expect(looked()).toBe(0); // whoever has no data sets needs no database
  expect(await names(['sat', 'ELR:mine'])).toEqual(['sat', 'elr:mine']);
  expect(await names()).toEqual(['sat', 'abd', 'ded', 'elr', 'hvm']);
  await expect(names(['elr:odd'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('a data set that somebody else has replaced is found out by whoever asks out of it', async () => {
  const { environments, ids } = known(1);
  await environments.look();
  const first = environments.all.get('elr:mine')!;
  expect((await pose(first, 'usual', 'x')).prompt).toContain('Say 1.');
  ids[0] = 2;
  await expect(pose(first, 'usual', 'x')).rejects.toMatchObject({ said: { message: { key: 'datasets.replaced' } } });
  const second = environments.all.get('elr:mine')!;
  expect(second.version).not.toBe(first.version);
  expect((await pose(second, 'usual', 'x')).prompt).toContain('Say 2.');
});
