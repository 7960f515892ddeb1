import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MetagraphView } from '../../../../src-preload/contract/chain.ts';
import { Tao } from '../../../components/chain/Tao.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { useShare } from '../neurons/use-share.ts';
import { useBlocks } from '../use-blocks.ts';
import { ownPart } from './own-part.ts';

/** What one's own neurons earned, what the subnet's alpha is worth, what it costs to come in, and when the next epoch is. */
export function SubnetFigures({ subnet }: { subnet: MetagraphView }) {
  const { t } = useTranslation('subnets');
  const format = useFormat();
  const share = useShare();
  const blocks = useBlocks();
  const own = ownPart(subnet);
  const { price, registrationCost, registrationOpen, neurons, places, tempo, nextEpoch, block } = subnet;
  return (
    <Box className={classes.pad} pt={{ base: 12, sm: 16 }} pb={16}>
      <Figures>
        {own && (
          <Figure
            wide
            earned={own.emission !== '0'}
            label={t('figures.earned')}
            value={format.tao(own.emission)}
            unit="α"
            note={t('figures.shares', { incentive: share(own.incentive), dividends: share(own.dividends) })}
          />
        )}
        <Figure label={t('price')} value={<Tao rao={price} />} unit="TAO" note={t('priceMeans')} />
        <Figure
          label={t('list.cost')}
          value={<Tao rao={registrationCost} />}
          unit="TAO"
          note={
            registrationOpen
              ? t('list.taken', { neurons: format.number(neurons), places: format.number(places) })
              : t('registration.closed')
          }
        />
        <Figure
          label={t('figures.nextEpoch')}
          value={nextEpoch === null ? '–' : blocks.time(nextEpoch - block)}
          note={t('figures.tempo', { span: blocks.span(tempo) })}
        />
      </Figures>
    </Box>
  );
}
