import { Select } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvaluationDetails } from '../../../../src-preload/contract/evaluation.ts';
import { lengthsOf } from '../../../../src-preload/contract/evaluation-cells.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Note } from '../../../components/Note.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Section } from '../../../components/Section.tsx';
import { worded } from '../../../i18n/worded.ts';
import { HeatGrid, HeatLegend } from '../map/HeatGrid.tsx';
import { isAsNamed, needleMap, type Spot, suiteRow, suitesOf } from '../map/map-cells.ts';
import { useMapChoice } from '../map/use-map-choice.ts';
import { useWords } from '../use-words.ts';
import { AskedFor } from './AskedFor.tsx';
import { LengthCharts } from './LengthCharts.tsx';
import { OutcomeFigures } from './OutcomeFigures.tsx';
import { Scores } from './Scores.tsx';
import { SpotInspector } from './SpotInspector.tsx';

interface OutcomeProps {
  details: EvaluationDetails;
  /** Above all that. */
  head: ReactNode;
}

/** What came of it, in maps and curves; beside them the questions of what is chosen there. */
export function Outcome({ details, head }: OutcomeProps) {
  const { t } = useTranslation('evaluation');
  const words = useWords();
  const [selected, setSelected] = useState<string>();
  const { cells, plan } = details;
  // While it runs, the columns of what is still to come are there already.
  const lengths = details.state === 'done' ? lengthsOf(cells) : [...new Set(plan.lengths)].toSorted((a, b) => a - b);
  const suites = suitesOf(cells, plan.suites);
  const { suites: deep, suite, kinds, kind, choose } = useMapChoice(details);
  const map = suite === undefined ? undefined : needleMap(cells, suite, kind, lengths);
  const rows = suites.map((name) => ({ name: words.suite(name), spots: suiteRow(cells, name, lengths) }));
  const spots = [...(map?.rows ?? []), ...rows].flatMap((row) => row.spots).filter(isAsked);
  return (
    <ListAndDetails
      title={t('spot.title')}
      rows={spots}
      keyOf={({ key }) => key}
      selected={selected}
      onSelect={setSelected}
      details={(spot) => <SpotInspector key={spot.key} evaluation={details} spot={spot} />}
    >
      {(shown, select) => (
        <>
          {head}
          <PageBody>
            {cells.length === 0 && (
              <EmptyState title={t(details.state === 'running' ? 'result.soon' : 'result.none')}>
                {t(details.state === 'running' ? 'result.soonMeans' : 'result.noneMeans')}
              </EmptyState>
            )}
            {cells.length > 0 && <OutcomeFigures cells={cells} />}
            {details.remark && (
              <Note spaced state="pause" icon={IconAlertTriangle}>
                {worded(details.remark, 'text')}
              </Note>
            )}
            {map && suite !== undefined && (
              <Section
                title={t('map.title')}
                description={[words.shows(suite), isAsNamed(cells, suite) && t('map.asNamed')]
                  .filter(Boolean)
                  .join(' ')}
                aside={
                  <>
                    {deep.length > 1 && (
                      <Select
                        aria-label={t('map.suite')}
                        size="xs"
                        w={150}
                        data={deep.map((value) => ({ value, label: words.suite(value) }))}
                        value={suite}
                        allowDeselect={false}
                        onChange={(value) => value !== null && choose({ suite: value, kind: null })}
                      />
                    )}
                    {kinds.length > 0 && (
                      <Select
                        aria-label={t('map.kind')}
                        size="xs"
                        w={130}
                        data={[
                          { value: '', label: t('map.allKinds') },
                          ...kinds.map((value) => ({ value, label: words.kind(value) })),
                        ]}
                        value={kind ?? ''}
                        allowDeselect={false}
                        onChange={(value) => choose({ suite, kind: value === '' ? null : value })}
                      />
                    )}
                  </>
                }
              >
                <HeatGrid
                  label={t('map.label', { suite: words.suite(suite) })}
                  corner={t('map.depth')}
                  lengths={lengths}
                  rows={map.rows.map(({ band, spots: ofRow }) => ({
                    name: words.band(band),
                    below: words.depths(band),
                    spots: ofRow,
                  }))}
                  selected={shown}
                  onSelect={select}
                />
                <HeatLegend />
              </Section>
            )}
            {rows.length > 0 && (
              <Section title={t('byLength.title')} description={map ? undefined : t('byLength.means')}>
                <HeatGrid
                  label={t('byLength.title')}
                  corner={t('byLength.suite')}
                  lengths={lengths}
                  rows={rows}
                  selected={shown}
                  onSelect={select}
                />
                {!map && <HeatLegend />}
              </Section>
            )}
            {rows.length > 0 && <LengthCharts cells={cells} suites={suites} />}
            {cells.length > 0 && <Scores evaluation={details} />}
            <AskedFor evaluation={details} />
          </PageBody>
        </>
      )}
    </ListAndDetails>
  );
}

const isAsked = ({ state }: Spot) => state !== 'none';
