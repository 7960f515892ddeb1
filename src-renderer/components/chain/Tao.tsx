import { taoText } from '../../../src-preload/contract/rao.ts';
import { useFormat } from '../../i18n/format.ts';
import classes from './chain.module.css';

interface TaoProps {
  /** As the chain counts; null where nobody knows. */
  rao: string | null;
  /** What stands behind it. `α`: a subnet's own. Default: nothing. */
  unit?: 'TAO' | 'α';
}

/** An amount: its whole part strong, what is behind the point weak. All nine digits on hover. */
export function Tao({ rao, unit }: TaoProps) {
  const format = useFormat();
  if (rao === null) return '–';
  const { whole, rest } = format.taoParts(rao);
  return (
    <span className={`num ${classes.tao}`} title={[taoText(BigInt(rao)), unit].filter(Boolean).join(' ')}>
      {whole}
      <span className={classes.rest}>{rest}</span>
      {unit && <small>{unit}</small>}
    </span>
  );
}
