import { Title, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { client } from '../../api/client.ts';
import { useLiveValue } from '../../api/live.ts';
import { usePlace } from '../../components/page/place.ts';
import { Library } from './library/Library.tsx';
import { Market } from './market/Market.tsx';
import { Record } from './record/Record.tsx';
import { Tasks } from './tasks/Tasks.tsx';

/** Videos of somebody at work: recorded here, looked through, and deleted. */
export function Focus() {
  const { t } = useTranslation('focus');
  const place = usePlace('focus');
  const { value: state, error } = useLiveValue((signal) => client.focus.watch(undefined, { signal }));
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {place === 'record' && <Record state={state} error={error} />}
      {place === 'tasks' && <Tasks />}
      {place === 'library' && <Library state={state} />}
      {place === 'market' && <Market />}
    </>
  );
}
