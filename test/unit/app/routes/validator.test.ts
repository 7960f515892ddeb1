import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { ChallengesPart } from '../../../../src-main/app/parts/validator/challenges.ts';
import type { ValidatorPart } from '../../../../src-main/app/parts/validator/validator.ts';
import { implementer } from '../../../../src-main/app/routes/implementer.ts';
import { validatorRoutes } from '../../../../src-main/app/routes/validator.ts';
import type { Caller } from '../../../../src-preload/contract/caller.ts';

/** The contract's `validator` of a node that notes what it is to import, and what ends an export. */
function openRoutes(caller: Caller) {
  const imported: string[] = [];
  const challenges = {
    datasets: {
      async *import({ from }: { from: { type: string } }) {
        imported.push(from.type);
        yield* [];
      },
    },
  } as unknown as ChallengesPart;
  const exporting: AbortSignal[] = [];
  const results = {
    async *export(signal: AbortSignal) {
      exporting.push(signal);
      yield* [];
    },
  };
  const validator = { results } as unknown as ValidatorPart;
  const domain = implementer(pino({ level: 'silent' })).domain('validator');
  return {
    imported,
    exporting,
    validator: createRouterClient(validatorRoutes(domain, { validator, challenges }), { context: caller }),
  };
}

const FILE = { name: 'mine', kind: 'elr' as const, from: { type: 'file' as const, path: '/etc/passwd' } };
const SERVER = { ...FILE, from: { type: 'server' as const, dataset: 'owner/name' } };

it('a data set is read from a file for the node’s own account alone; from a server for all who may use the node', async () => {
  const remote = openRoutes({ confidential: true });
  await expect(remote.validator.importDataset(FILE)).rejects.toMatchObject({ data: { code: 'UNAUTHORIZED' } });
  for await (const _ of await remote.validator.importDataset(SERVER));
  expect(remote.imported).toEqual(['server']);
  const own = openRoutes({ confidential: true, ofAccount: true });
  for await (const _ of await own.validator.importDataset(FILE));
  expect(own.imported).toEqual(['file']);
});

it('an export ends with whoever reads it', async () => {
  const { validator, exporting } = openRoutes({ confidential: true, ofAccount: true });
  const reader = new AbortController();
  for await (const _ of await validator.export(undefined, { signal: reader.signal }));
  reader.abort();
  expect(exporting.map(({ aborted }) => aborted)).toEqual([true]);
});
