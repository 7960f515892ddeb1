import { BLOCK_MS } from '../../../src-preload/contract/block-time.ts';
import { isKnownRule, RULE_KINDS, SHARE_MAX } from '../../../src-preload/contract/subnet-rules.ts';
import { counted, durationText } from '../terminal/output.ts';
import { tao } from './amounts.ts';

const NUMBER = /^\d{1,20}$/;

/** A rule of a subnet with its unit: «360 blocks, about 1.2 h», «50 %», «0.5 TAO». What is not known stays as the chain says it. */
export function ruleText(name: string, value: string): string {
  if (value === 'true') return 'yes';
  if (value === 'false') return 'no';
  if (!isKnownRule(name) || !NUMBER.test(value)) return value;
  const count = Number(value);
  switch (RULE_KINDS[name].kind) {
    case 'blocks':
      return `${counted(count, 'block')}, about ${durationText(count * BLOCK_MS)}`;
    case 'epochs':
      return counted(count, 'epoch');
    case 'neurons':
      return counted(count, 'neuron');
    case 'share':
      return `${Math.round((count / SHARE_MAX) * 1_000) / 10} %`;
    case 'rao':
      return `${tao(value)} TAO`;
    default:
      return value;
  }
}
