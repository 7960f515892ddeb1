import { Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { SettingControl } from '../../../components/setting-field/SettingControl.tsx';

const FIELDS = ['endpoint', 'repository', 'private', 'token'] as const;

/** Where the data set is uploaded to. */
export function Destination() {
  const { t } = useTranslation('data');
  useFreshSet();
  return (
    <Stack maw={520}>
      {FIELDS.map((name) => (
        <SettingControl
          key={name}
          path={`data.upload.${name}`}
          label={t(`upload.field.${name}.label`)}
          help={t(`upload.field.${name}.help`)}
        />
      ))}
    </Stack>
  );
}

/** What is set here shows at once. */
function useFreshSet(): void {
  const { data } = useAnswer(api.settings.list.queryOptions());
  const set = data?.settings.filter(({ path }) => path.startsWith('data.upload.'));
  const told = JSON.stringify(set?.map(({ value, isSet }) => [value, isSet]));
  useEffect(() => {
    if (told) void queryClient.invalidateQueries({ queryKey: api.data.dataSet.key() });
  }, [told]);
}
