import { useTranslation } from 'react-i18next';
import { Figure, Figures } from '../../components/Figures.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';
import { useSummary } from './use-summary.ts';

/** What this node has done, how fast, and what waits. */
export function WorkFigures() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const status = useNode((node) => node.status);
  const { data: summary } = useSummary();
  const speed = status?.speed;
  return (
    <Section title={t('work.title')}>
      <Figures>
        <Figure
          label={t('work.served')}
          value={summary && format.number(summary.served)}
          note={status && t('work.servedNote', { requests: format.number(status.served.requests) })}
        />
        <Figure
          label={t('work.speed')}
          value={speed && format.number(speed.tokensPerSecond, speed.tokensPerSecond < 100 ? 1 : 0)}
          note={t('work.speedNote')}
        />
        <Figure
          label={t('work.firstToken')}
          value={speed && format.duration(speed.firstTokenMs)}
          note={t('work.firstTokenNote')}
        />
        <Figure
          label={t('work.queue')}
          value={status && format.number(status.queue.waiting)}
          note={status && t('work.queueNote', { active: format.number(status.queue.active) })}
        />
      </Figures>
    </Section>
  );
}
