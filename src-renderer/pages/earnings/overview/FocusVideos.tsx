import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** What came in for focus videos, and what is about to; nothing for who has offered none. */
export function FocusVideos() {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const { data } = useAnswer(api.trade.state.queryOptions());
  if (!data || data.offers.length === 0) return null;
  const { settled, pending, owed } = data.earned;
  const more = (
    <Button component="a" href="#/focus/market" size="xs" variant="subtle" color="gray" mr={-10}>
      {t('earned.more')}
    </Button>
  );
  return (
    <Section title={t('earned.title')} description={t('earned.what')} aside={more}>
      <Figures>
        <Figure
          label={t('earned.settled')}
          value={format.taoExact(settled)}
          unit="TAO"
          earned
          note={t('earned.settledNote')}
        />
        <Figure
          label={t('earned.pending')}
          value={format.taoExact(pending)}
          unit="TAO"
          note={t('earned.pendingNote')}
        />
        {owed !== '0' && (
          <Figure label={t('earned.owed')} value={format.taoExact(owed)} unit="TAO" note={t('earned.owedNote')} />
        )}
      </Figures>
    </Section>
  );
}
