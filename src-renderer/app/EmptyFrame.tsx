import { Center } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './frame.module.css';

/** The frame before it is known what there is to show; index.html draws the same before any script has come. */
export function EmptyFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={classes.frame}>
      <aside className={classes.side}>
        <div className={classes.mark}>
          <img src="./icon.svg" alt="" width={24} height={24} />
          {t('appName')}
        </div>
      </aside>
      <main className={classes.panel}>
        <Center flex={1} p="md">
          {children}
        </Center>
      </main>
    </div>
  );
}
