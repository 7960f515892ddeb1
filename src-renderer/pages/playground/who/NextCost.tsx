import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Block, Facts } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useLedgerNews } from '../../../state/ledger-news.ts';
import { likelyCost, mostCost } from './next-cost.ts';
import type { Answerers } from './useAnswerers.ts';

/** Who is in reach changes, and no event tells. */
const LOOK_AGAIN_MS = 10_000;

/** What the next answer of the mesh may cost, and what there is to pay it. */
export function NextCost({ options, lately }: { options: AskOptions; lately: Answerers['lately'] }) {
  const { t } = useTranslation('playground');
  const format = useFormat();
  useLedgerNews();
  const { data } = useAnswer(api.credits.debtors.queryOptions({ input: { limit: 1 }, refetchInterval: LOOK_AGAIN_MS }));
  const credits = (count: number) => t('credits', { count, formatted: format.number(count) });
  const likely = likelyCost(options, lately('mesh', options.model) ?? lately('mesh'));
  return (
    <Block title={t('cost.title')}>
      <Facts
        facts={[
          [t('cost.atMost'), credits(mostCost(options))],
          [t('cost.likely'), likely !== undefined && credits(likely)],
          [t('cost.have'), data && <b>{format.number(data.owes)}</b>],
          [t('cost.inReach'), data && format.number(data.inReach ?? 0)],
        ]}
      />
      <Text size="xs" c="var(--q-ink-3)" mt={6}>
        {t('cost.explain')}
      </Text>
    </Block>
  );
}
