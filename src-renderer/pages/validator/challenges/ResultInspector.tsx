import { Button, Skeleton, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconCopy,
  IconHistory,
  IconRefresh,
  IconShieldX,
  type TablerIcon,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { taskName } from '../../../../src-preload/contract/task-name.ts';
import type { OpenedResult, REPLAYS, ResultView } from '../../../../src-preload/contract/validator-results.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useCopy } from '../../../components/copy/useCopy.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import type { State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { minerName } from '../miner-name.ts';
import classes from '../validator.module.css';
import { ForeignText } from './ForeignText.tsx';
import { OutcomeChip } from './ResultTable.tsx';

/** Everything about one challenge: what was asked and answered, why it scored so, and whether that holds when it is posed again. */
export function ResultInspector({ result }: { result: ResultView }) {
  const { t } = useTranslation('validator');
  const { id, environment } = result;
  // What was signed does not change.
  const { data, error, refetch } = useAnswer(
    api.validator.result.queryOptions({ input: { id }, staleTime: Number.POSITIVE_INFINITY }),
  );
  return (
    <Inspector
      title={t('result.title', { task: taskName(environment), id })}
      description={
        <span className={classes.chip}>
          <OutcomeChip result={result} />
        </span>
      }
    >
      <Block>
        <About result={result} opened={data} />
      </Block>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {!data && error === null && <Skeleton h={180} mt={16} />}
      {data && <Texts opened={data} />}
      {data && <Replay key={id} opened={data} />}
    </Inspector>
  );
}

function About({ result, opened }: { result: ResultView; opened: OpenedResult | undefined }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { at, miner, model, score, success, ms, version } = result;
  const level = opened?.result.level;
  const { firstByteMs = null, accuracy = null } = opened ?? {};
  return (
    <Facts
      facts={[
        [t('result.when'), format.time(at)],
        [
          t('miner'),
          <span key="miner" title={miner}>
            {minerName(miner).name}
          </span>,
        ],
        [t('result.model'), model || undefined],
        [t('result.score'), success ? format.number(score, 3) : t('result.asWrong')],
        [t('result.accuracy'), accuracy !== null && format.number(accuracy, 3)],
        [t('result.took'), success && format.duration(ms)],
        [t('result.firstByte'), firstByteMs !== null && format.duration(firstByteMs)],
        [t('result.tries'), opened && opened.result.attempts > 1 && format.number(opened.result.attempts)],
        [t('result.level'), level && t('result.levelOf', { level, version })],
      ]}
    />
  );
}

function Texts({ opened: { standing, prompt, answer, answerLength, reason, result } }: { opened: OpenedResult }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  return (
    <>
      {standing !== 'genuine' && (
        <Block>
          <Note
            state={standing === 'forged' ? 'error' : 'idle'}
            icon={standing === 'forged' ? IconShieldX : IconHistory}
            title={t(`result.${standing}`)}
          />
        </Block>
      )}
      {prompt !== null && (
        <Block title={t('result.asked')}>
          <ForeignText title={t('result.asked')} text={prompt} />
        </Block>
      )}
      {standing !== 'forged' && (
        <Block title={t('result.answer')}>
          {answer === null ? (
            <Text size="sm" c="var(--q-ink-2)">
              {result.error ? t('result.noneFor', { why: result.error }) : t('result.none')}
            </Text>
          ) : answer === '' ? (
            <Text size="sm" c="var(--q-ink-2)">
              {t('result.emptyAnswer')}
            </Text>
          ) : (
            <ForeignText title={t('result.answer')} text={answer} />
          )}
          {answer !== null && answerLength !== null && (
            <Text size="sm" mt={10} c="var(--q-ink-2)">
              {t('result.cut', { kept: format.number(answer.length), whole: format.number(answerLength) })}
            </Text>
          )}
          {reason && (
            <Text size="sm" mt={10}>
              {worded(reason, 'text')}
            </Text>
          )}
        </Block>
      )}
    </>
  );
}

const VERDICTS: Record<(typeof REPLAYS)[number], { state: State; icon: TablerIcon }> = {
  same: { state: 'good', icon: IconCheck },
  forged: { state: 'error', icon: IconShieldX },
  gone: { state: 'idle', icon: IconHistory },
  otherwise: { state: 'pause', icon: IconAlertTriangle },
  cut: { state: 'idle', icon: IconHistory },
};

/** Has the challenge posed and the answer judged again, and hands the whole result over. */
function Replay({ opened: { result } }: { opened: OpenedResult }) {
  const { t } = useTranslation('validator');
  const replay = useMutation(api.validator.replay.mutationOptions());
  const { copied, copy } = useCopy(JSON.stringify(result, null, 2));
  const CopyIcon = copied ? IconCheck : IconCopy;
  return (
    <Block title={t('result.proof')}>
      <Stack gap="xs">
        <div role="status">
          {replay.data && (
            <Note {...VERDICTS[replay.data.verdict]} title={worded(replay.data, 'text')}>
              {replay.data.verdict !== 'same' && replay.data.reason && worded(replay.data.reason, 'text')}
            </Note>
          )}
        </div>
        <ErrorNote error={replay.error} />
        <Button
          variant="default"
          leftSection={<IconRefresh size={15} stroke={1.6} aria-hidden />}
          loading={replay.isPending}
          onClick={() => replay.mutate({ id: result.id })}
        >
          {t('result.replay')}
        </Button>
        <Button variant="default" leftSection={<CopyIcon size={15} stroke={1.6} aria-hidden />} onClick={copy}>
          {t(copied ? 'common:action.copied' : 'result.copy')}
        </Button>
      </Stack>
    </Block>
  );
}
