import { Anchor, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenRound } from '../../../../src-preload/contract/competition.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { Figure, Figures } from '../../../components/Figures.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';

const SECOND_MS = 1_000;

/** The open round: how long it is open, until when one has to commit, what there is to beat. */
export function CurrentRound({ current }: { current: OpenRound }) {
  const { t } = useTranslation('competitions');
  const format = useFormat();
  const now = useNow();
  const { round, endsAt, block, lastBlockToCommit, blockMs, submissions, baselines, url, server, places } = current;
  const left = Math.max(0, lastBlockToCommit - block);
  const count = Object.values(submissions).reduce((sum, one) => sum + one, 0);
  const fastest = baselines?.find(({ submission }) => submission !== null)?.submission?.slice(0, 8);
  const beaten = fastest ? t('current.fastestMeans', { id: fastest }) : t('current.referenceMeans');
  const gpu = current.tracks.find(({ track }) => track === 'gpu');
  return (
    <Section
      title={t('current.title', { round })}
      description={
        <>
          {new URL(url).host} · <Address address={server} />
        </>
      }
      aside={
        <Anchor href={`${url}/competition/1/openapi.json`} target="_blank" rel="noreferrer" size="sm">
          {t('current.api')}
        </Anchor>
      }
    >
      <Figures>
        <Figure
          hero
          label={t('current.left')}
          value={endsAt > now ? format.duration(endsAt - now) : t('current.over')}
          note={t('current.until', { time: format.time(endsAt) })}
        />
        <Figure
          label={t('current.commit')}
          value={left > 0 ? format.duration(left * blockMs) : t('current.late')}
          note={
            left > 0 ? t('current.blocks', { formatted: format.number(left), count: left }) : t('current.lateMeans')
          }
        />
        <Figure
          label={t('current.submissions')}
          value={format.number(count)}
          note={t('current.revealed', { formatted: format.number(submissions.revealed ?? 0) })}
        />
        <Figure
          label={t('current.beat')}
          value={baselines ? t(fastest ? 'current.fastest' : 'current.reference') : '–'}
          note={baselines ? beaten : t('current.beatUnknown')}
        />
        <Figure
          label={t('current.places')}
          value={places.map((place) => format.number(place)).join(' · ')}
          unit="%"
          note={t('current.placesMean')}
        />
      </Figures>
      {gpu?.closed && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('current.gpuClosed')} {worded(gpu.closed, 'text')}
        </Text>
      )}
    </Section>
  );
}

/** Unix milliseconds, once a second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
