import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Clip } from '../../../../src-preload/contract/data.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../data.module.css';
import { ProvenanceBlock } from '../ProvenanceBlock.tsx';
import { ScoreParts } from '../ScoreParts.tsx';
import { ClipActions } from './ClipActions.tsx';
import { ClipPlayer } from './ClipPlayer.tsx';
import { Description } from './Description.tsx';

/** Everything about a clip: how it looks, what it shows, what it is worth, whose it is, and what can be done with it. @param hasModels whether clips become numbers here now */
export function ClipInspector({ clip, hasModels }: { clip: Clip; hasModels: boolean }) {
  const { t } = useTranslation('data');
  const { title, topic, words, score } = clip;
  return (
    <Inspector title={title} description={topic}>
      <Block>
        <ClipPlayer clip={clip} />
      </Block>
      <Block title={t('description.title')}>
        <Description clip={clip} />
      </Block>
      {words !== null && (
        <Block title={t('words.title')}>
          <Text size="sm" className={classes.whole}>
            {words}
          </Text>
          <Text size="xs" c="var(--q-ink-2)" mt={4}>
            {t('words.by')}
          </Text>
        </Block>
      )}
      <Block title={t('score.title')}>
        {score ? (
          <ScoreParts score={score} isOwn />
        ) : (
          <Text size="sm">{t(hasModels ? 'score.none' : 'score.noneWithoutModels')}</Text>
        )}
      </Block>
      <ProvenanceBlock of={clip} />
      <Block title={t('facts.title')}>
        <ClipFacts clip={clip} />
      </Block>
      <Block>
        <ClipActions clip={clip} />
      </Block>
    </Inspector>
  );
}

function ClipFacts({ clip }: { clip: Clip }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const { from, to, width, height, bytes, hasSound, speakers, space, createdAt } = clip;
  return (
    <Facts
      facts={[
        [t('find.length'), lengthText((to - from) * 1_000)],
        [t('facts.stretch'), `${lengthText(from * 1_000)} – ${lengthText(to * 1_000)}`],
        [t('facts.picture'), `${width} × ${height}`],
        [t('facts.sound'), t(hasSound ? 'facts.hasSound' : 'facts.noSound')],
        [t('facts.speakers'), speakers !== null && format.number(speakers)],
        [t('find.size'), format.bytes(bytes)],
        [t('facts.space'), space === null ? t('facts.noSpace') : <span title={space}>{modelsOf(space)}</span>],
        [t('facts.made'), format.time(createdAt)],
      ]}
    />
  );
}

/** «siglip2-base, clap-htsat» of the space `siglip2-base@1f2e…+clap-htsat@3d4c…#reading1`. */
function modelsOf(space: string): string {
  const [models = ''] = space.split('#');
  return models
    .split('+')
    .map((model) => model.split('@')[0])
    .join(', ');
}
