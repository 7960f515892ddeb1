import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { PracticeRequest } from '../../../src-preload/contract/validator.ts';
import type { Environment } from '../../validation/environment.ts';
import type { Known, KnownEnvironments } from './known-environments.ts';

/** Those that are wanted, each with its level; the usual ones where none are named. @throws BAD_REQUEST for what there is not */
export function chosen(
  { all, usual }: Pick<KnownEnvironments, 'all' | 'usual'>,
  { environments, level }: Pick<PracticeRequest, 'environments' | 'level'>,
) {
  const named = environments?.map((name) => environmentOf(all, name)) ?? [...usual.values()];
  if (level !== undefined && !named.some(({ levels }) => levels.includes(level))) {
    const levels = [...new Set(named.flatMap((environment) => environment.levels))];
    const message = say('validation.noLevel', { level });
    throw new QuarryError({ code: 'BAD_REQUEST', message, hint: say('validation.levels', { levels }), field: 'level' });
  }
  return named.map((environment) => {
    const has = level !== undefined && environment.levels.includes(level);
    return { environment, level: has ? level : environment.levels[0] };
  });
}

function environmentOf(known: Known, name: string): Environment {
  const environment = known.get(name.toLowerCase());
  if (environment) return environment;
  const hint = say('validation.environments', { names: [...known.keys()] });
  const message = say('validation.noEnvironment', { name });
  throw new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'environments' });
}
