import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MetagraphView } from '../../../../src-preload/contract/chain.ts';
import { isKnownRule, RULE_KINDS, SHARE_MAX } from '../../../../src-preload/contract/subnet-rules.ts';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import own from '../subnets.module.css';
import { useBlocks } from '../use-blocks.ts';

type RuleView = MetagraphView['rules'][number];

const NUMBER = /^\d{1,20}$/;

/** What holds on a subnet, in words, with the chain's own name of each rule. */
export function Rules({ subnet: { rules, block } }: { subnet: MetagraphView }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('rules.title')}>
        <thead>
          <tr>
            <th scope="col">{t('rules.rule')}</th>
            <th scope="col" className={classes.num}>
              {t('rules.value')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <Rule key={rule.name} rule={rule} />
          ))}
        </tbody>
      </table>
      <Box className={`${classes.pad} ${classes.beside}`}>{t('rules.about', { block: format.number(block) })}</Box>
    </div>
  );
}

function Rule({ rule }: { rule: RuleView }) {
  const { t } = useTranslation('subnets');
  const { name } = rule;
  const known = isKnownRule(name);
  return (
    <tr className={classes.row}>
      <th scope="row" className={own.rule}>
        <span className={classes.name}>{known ? t(`rules.of.${name}.name`) : name}</span>
        <span className={classes.sub}>
          {known && `${t(`rules.of.${name}.means`)} · `}
          <code>{known ? RULE_KINDS[name].chain : name}</code>
        </span>
      </th>
      <td className={`num ${classes.num}`}>
        <Value rule={rule} />
      </td>
    </tr>
  );
}

function Value({ rule: { name, value } }: { rule: RuleView }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const blocks = useBlocks();
  if (value === 'true' || value === 'false') return t(`rules.${value}`);
  if (!isKnownRule(name) || !NUMBER.test(value)) return value;
  switch (RULE_KINDS[name].kind) {
    case 'rao':
      return `${format.tao(value)} TAO`;
    case 'blocks':
      return blocks.span(Number(value));
    case 'share':
      return format.percent(Number(value) / SHARE_MAX);
    case 'epochs':
      return t('rules.epochs', { count: Number(value), formatted: format.number(Number(value)) });
    case 'neurons':
      return t('rules.neurons', { count: Number(value), formatted: format.number(Number(value)) });
    default:
      return value;
  }
}
