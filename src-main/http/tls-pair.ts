import { say } from '../../src-preload/contract/saying.ts';
import { type Contradiction, configError } from '../base/setting.ts';

/** A certificate needs its key, and the other way round. @param table in which both settings stand: `market` */
export function unpairedTls<Table extends string>(
  table: Table,
  { tlsCert, tlsKey }: { tlsCert?: string | undefined; tlsKey?: string | undefined },
): Contradiction | undefined {
  if ((tlsCert === undefined) === (tlsKey === undefined)) return undefined;
  const error = configError(say('settings.together'), undefined, `${table}.tlsCert`);
  return { between: [`${table}.tlsCert`, `${table}.tlsKey`], error };
}
