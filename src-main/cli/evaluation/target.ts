import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { SS58_LOOKS } from '../../../src-preload/contract/address-looks.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EvaluationTarget } from '../../../src-preload/contract/evaluation.ts';
import { isBare } from '../../../src-preload/contract/is-bare.ts';
import type { Place } from '../../../src-preload/contract/place.ts';

/** Options that say more of whom is asked. */
export interface TargetFlags {
  /** Which of a server's models. */
  model?: string;
  /** Where a miner's axon is. */
  address?: Place;
  /** A miner's subnet. */
  netuid?: number;
}

/**
 * Who is meant by `local`, a name, `mesh`, `mesh:NAME`, an address, or `axon:HOTKEY`.
 * @throws BAD_REQUEST for what is none of these, and for an option of somebody else
 */
export function targetOf(asked = 'local', { model, address, netuid }: TargetFlags): EvaluationTarget {
  if (/^https?:\/\//i.test(asked)) {
    refuse({ address, netuid });
    if (!URL.canParse(asked) || !isBare(asked)) throw noAddress();
    return { kind: 'address', url: asked, ...(model && { model }) };
  }
  if (asked.trim() === '' || OTHER_ADDRESS.test(asked)) throw nobody(asked);
  const [kind, ...rest] = asked.split(':');
  const name = rest.join(':');
  refuse({ model });
  if (kind === 'axon') return axonTarget(name, { address, netuid });
  refuse({ address, netuid });
  if (kind !== 'mesh') return { kind: 'local' };
  return name === '' ? { kind } : { kind, model: name };
}

function axonTarget(hotkey: string, { address: at, netuid }: TargetFlags): EvaluationTarget {
  if (!SS58_LOOKS.test(hotkey)) throw noHotkey();
  return { kind: 'axon', hotkey, ...(at && { at }), ...(netuid !== undefined && { netuid }) };
}

/** «203.0.113.9:8091», «[2001:db8::9]:8091». @throws InvalidArgumentError for what is none */
export function placeArgument(text: string): Place {
  const [, v6, v4, port] = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? [];
  const place = { ip: v6 ?? v4 ?? '', port: Number(port) };
  if (isIP(place.ip) === (v6 ? 6 : 4) && place.port >= 1 && place.port <= 65_535) return place;
  throw new InvalidArgumentError('An IP address and a port are wanted, as 203.0.113.9:8091.');
}

/** Of another protocol, or mistyped. */
const OTHER_ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/|https?:)/i;
const OTHERS =
  '«mesh» or «mesh:NAME», the address of a server that begins with http:// or https://, or «axon:HOTKEY» for a miner.';

/** Where no model of this computer is called so, somebody else may be meant. */
export function withTheOthers(error: unknown): unknown {
  if (!(error instanceof QuarryError) || error.code !== 'MODEL_NOT_FOUND') return error;
  const { code, message, hint = '' } = error;
  return new QuarryError({ code, message, hint: `${hint} Others that can be asked: ${OTHERS}` }, { cause: error });
}

const OF: Record<keyof TargetFlags, string> = { model: 'a server', address: 'a miner', netuid: 'a miner' };

function refuse(flags: TargetFlags): void {
  const [wrong] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
  if (wrong === undefined) return;
  const of = OF[wrong as keyof TargetFlags];
  throw new QuarryError({
    code: 'BAD_REQUEST',
    message: `--${wrong} says more of ${of}, and none is named.`,
    hint:
      wrong === 'model' ? 'Name the model itself: quarry evaluate NAME' : 'Name the miner: quarry evaluate axon:HOTKEY',
    field: wrong,
  });
}

const nobody = (asked: string) =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: asked.trim() === '' ? 'Nobody is named.' : `«${asked}» is nobody who can be asked.`,
    hint: `Name a model of this computer, ${OTHERS}`,
    field: 'model',
  });

/** Without the address: it may have a key in it. */
const noAddress = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: 'This is no address of a server that can be asked.',
    hint: 'It looks like https://host:8000/v1, without a name, a password or a «?» in it; a key belongs into QUARRY_REMOTE_API_KEY.',
    field: 'model',
  });

const noHotkey = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: 'No miner is named.',
    hint: 'Name it by its hotkey, as the subnet lists it: quarry evaluate axon:5HDvhV6W… (quarry chain subnet N)',
    field: 'model',
  });
