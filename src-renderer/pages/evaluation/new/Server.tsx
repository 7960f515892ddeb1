import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { settingValue } from '../../../state/settings.ts';
import { changeDraft, namesTarget } from './draft.ts';

const MOST_NAME_CHARS = 256;

/** Which server, and which of its models. */
export function Server({ target }: { target: Extract<EvaluationTarget, { kind: 'address' }> }) {
  const { t } = useTranslation('evaluation');
  const { url, model = '' } = target;
  const [isLeft, setLeft] = useState(url !== '');
  const change = (changed: { url?: string; model?: string }) => {
    const now = { url, model, ...changed };
    changeDraft({ target: { kind: 'address', url: now.url, ...(now.model.trim() && { model: now.model.trim() }) } });
  };
  return (
    <Stack gap={12} ml={32} maw={420}>
      <TextInput
        type="url"
        label={t('new.server')}
        description={t('new.serverHelp')}
        placeholder="http://127.0.0.1:8000/v1"
        value={url}
        error={isLeft && url !== '' && !namesTarget({ target }) && t('new.serverWrong')}
        onChange={(event) => change({ url: event.currentTarget.value.trim() })}
        onBlur={() => setLeft(true)}
      />
      <TextInput
        label={t('new.serverModel')}
        description={t('new.serverModelMeans')}
        maxLength={MOST_NAME_CHARS}
        value={model}
        onChange={(event) => change({ model: event.currentTarget.value })}
      />
      {namesTarget({ target }) && <KeyOf url={url} />}
    </Stack>
  );
}

/** Whether a key goes there: the one that is set goes to the server that the settings name, and to no other. */
function KeyOf({ url }: { url: string }) {
  const { t } = useTranslation('evaluation');
  const { data: settings } = useAnswer(api.settings.list.queryOptions());
  if (!settings) return null;
  const named = settingValue<string>(settings, 'remote.baseUrl');
  const key = settings.settings.find(({ path }) => path === 'remote.apiKey');
  const isSet = key?.isSet === true && key.withheld === undefined;
  const isNamed = named !== undefined && URL.parse(named)?.origin === URL.parse(url)?.origin;
  return (
    <Text size="sm" c="var(--q-ink-2)" role="status">
      {!isSet ? t('new.keyNotSet') : isNamed ? t('new.keySent') : t('new.keyOfOther')}{' '}
      <Anchor href="#/settings/engine" size="sm" underline="always">
        {t('new.toKey')}
      </Anchor>
    </Text>
  );
}
