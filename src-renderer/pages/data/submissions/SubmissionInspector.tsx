import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Submission } from '../../../../src-preload/contract/data.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import { CopyIcon } from '../../../components/copy/CopyIcon.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../data.module.css';
import { ScoreParts } from '../ScoreParts.tsx';
import { useWorth } from '../use-worth.ts';

/** A submission: with whom, what it is worth and why, and the same of each of its clips. */
export function SubmissionInspector({ submission }: { submission: Submission }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const write = useWorth();
  const { topic, role, kind, at, with: partner, score, reason, clips } = submission;
  return (
    <Inspector title={topic} description={t(`submission.${role}`)}>
      <Block title={t('submission.score')}>
        <Text fz={28} lh="36px" fw={600}>
          {write(score)}
        </Text>
        <Text size="sm" c="var(--q-ink-2)">
          {reason ? worded(reason, 'text') : score === null && t('submission.unscored')}
        </Text>
      </Block>
      <Block>
        <Facts
          facts={[
            [t('submission.what'), t(`submission.kind.${kind}`)],
            [t('submission.when'), format.time(at)],
          ]}
        />
        <Group wrap="nowrap" gap="xs" mt="sm">
          <Text size="sm" ff="monospace" className={classes.whole}>
            {partner}
          </Text>
          <CopyIcon text={partner} label={t('submission.copy')} />
        </Group>
      </Block>
      <Block title={t('submission.clips', { count: clips.length, formatted: format.number(clips.length) })}>
        {clips.map((clip, place) => (
          <SubmittedClip key={place} clip={clip} />
        ))}
      </Block>
    </Inspector>
  );
}

function SubmittedClip({ clip }: { clip: Submission['clips'][number] }) {
  const { t } = useTranslation('data');
  const write = useWorth();
  const { source, id, from, to, description, score } = clip;
  const verdict = score?.uncounted ? worded(score.uncounted, 'text') : score && t('submission.counts');
  return (
    <details className={classes.clip}>
      <summary>
        <b>{write(score?.worth ?? null)}</b> {verdict ?? t('score.none')}
        <span className={classes.sub}>
          {t(`source.${source}`)} · {id} · {lengthText(from * 1_000)} – {lengthText(to * 1_000)}
        </span>
      </summary>
      <Text size="sm" className={classes.whole}>
        {description}
      </Text>
      {score && (
        <div>
          <ScoreParts score={score} />
        </div>
      )}
    </details>
  );
}
