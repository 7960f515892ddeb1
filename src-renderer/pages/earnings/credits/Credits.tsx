import { useTranslation } from 'react-i18next';
import type { CreditSummary } from '../../../../src-preload/contract/credits.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { SectionPair } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { Creditors } from './Creditors.tsx';
import { Debtors } from './Debtors.tsx';
import { type Standing, useStanding } from './use-standing.ts';

/** Who owes this node, whom it owes, and what strangers have on trust. */
export function Credits() {
  const { data, error, refetch } = useAnswer(api.credits.summary.queryOptions());
  const standing = useStanding();
  return (
    <PageBody>
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {(data || !error) && <Sums summary={data} standing={standing} />}
      <SectionPair>
        <Debtors />
        <Creditors standing={standing} />
      </SectionPair>
    </PageBody>
  );
}

function Sums({ summary, standing }: { summary: CreditSummary | undefined; standing: Standing | undefined }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const number = (value: number) => format.number(value);
  return (
    <Figures>
      <Figure
        label={t('figure.available.label')}
        value={summary && number(summary.available)}
        note={t('figure.available.note')}
      />
      <Figure label={t('figure.owed.label')} value={summary && number(summary.owed)} note={t('figure.owed.note')} />
      {(!standing || standing === 'claims') && (
        <Figure
          wide
          label={t('trust.label')}
          value={summary && number(summary.gifts.given)}
          note={
            summary && (
              <>
                {t('trust.back', { back: number(summary.gifts.back) })}{' '}
                {t('trust.limit', { most: number(summary.gifts.most), perDay: number(summary.gifts.perDay) })}
              </>
            )
          }
        />
      )}
    </Figures>
  );
}
