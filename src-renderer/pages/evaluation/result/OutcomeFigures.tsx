import { useTranslation } from 'react-i18next';
import type { EvaluationCellView } from '../../../../src-preload/contract/evaluation.ts';
import { accuracyOf, lengthsOf, summedCells } from '../../../../src-preload/contract/evaluation-cells.ts';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { usedLength } from '../map/map-cells.ts';
import { useWords } from '../use-words.ts';

/** How much of a long text it uses, in a few figures. */
export function OutcomeFigures({ cells }: { cells: readonly EvaluationCellView[] }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const words = useWords();
  const all = summedCells(cells);
  const accuracy = accuracyOf(all);
  const lengths = lengthsOf(cells);
  const { length: used, next } = usedLength(cells);
  const longest = lengths.findLast((length) => ofLength(cells, length).answered > 0);
  const slowest = longest === undefined ? undefined : ofLength(cells, longest);
  return (
    <Figures>
      <Figure
        hero
        label={t('figures.used')}
        value={used === undefined ? '–' : words.length(used)}
        unit={used !== undefined && t('figures.tokens')}
        note={
          next === undefined
            ? t('figures.allUsed')
            : next.accuracy === undefined
              ? t('figures.nextNoRoom', { length: words.length(next.length) })
              : t('figures.next', { length: words.length(next.length), share: format.percent(next.accuracy) })
        }
      />
      <Figure
        label={t('figures.right')}
        value={accuracy === undefined ? '–' : format.percent(accuracy)}
        note={t('figures.rightOf', { count: all.answered, formatted: format.number(all.answered) })}
      />
      <Figure
        label={t('figures.first')}
        value={typeof slowest?.firstMs === 'number' ? format.duration(slowest.firstMs) : '–'}
        note={longest !== undefined && t('figures.firstAt', { length: words.length(longest) })}
      />
      <Figure
        label={t('figures.reads')}
        value={all.promptTokensPerSecond === null ? '–' : format.number(all.promptTokensPerSecond)}
        unit={all.promptTokensPerSecond !== null && t('figures.perSecond')}
        note={t('figures.readsMeans')}
      />
    </Figures>
  );
}

const ofLength = (cells: readonly EvaluationCellView[], wanted: number) =>
  summedCells(cells.filter(({ length }) => length === wanted));
