import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './playground.module.css';

/** What an empty conversation offers. */
export function Examples({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('playground');
  return (
    <div className={classes.examples}>
      <Text fw={600} fz={16}>
        {t('examples.title')}
      </Text>
      <Text c="var(--q-ink-3)" size="sm" mb={8}>
        {t('examples.explain')}
      </Text>
      {(['mesh', 'code', 'rewrite'] as const).map((name) => (
        <Button
          key={name}
          variant="default"
          justify="flex-start"
          h="auto"
          py={9}
          onClick={() => onChoose(t(`examples.${name}`))}
        >
          <Text size="sm" ta="left" style={{ whiteSpace: 'normal' }}>
            {t(`examples.${name}`)}
          </Text>
        </Button>
      ))}
    </div>
  );
}
