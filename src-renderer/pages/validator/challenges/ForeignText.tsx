import { Button, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../components/copy/CopyButton.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../validator.module.css';
import { beginningOf } from './beginning.ts';

/** A text that a miner wrote, or that it was asked: as it is, its beginning first, all of it when it is wanted. */
export function ForeignText({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const [opened, whole] = useDisclosure();
  const beginning = beginningOf(text);
  return (
    <>
      <pre className={classes.foreign}>{beginning === text ? text : `${beginning} …`}</pre>
      {beginning !== text && (
        <Button size="xs" variant="subtle" mt={6} ml={-8} onClick={whole.open}>
          {t('result.showAll', { formatted: format.number(text.length) })}
        </Button>
      )}
      <Modal opened={opened} onClose={whole.close} title={title} size="xl" centered>
        <Stack align="flex-start">
          <pre className={classes.foreign} style={{ width: '100%' }}>
            {text}
          </pre>
          <CopyButton text={text} />
        </Stack>
      </Modal>
    </>
  );
}
